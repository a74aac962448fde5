<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Banner</name>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Close this notice</source>
        <translation>关闭此提示</translation>
    </message>
</context>
<context>
    <name>ChatMenu</name>
    <message>
        <source>Unpin</source>
        <translation>取消置顶</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Long text, {n} thousand characters</source>
        <translation>长文字，约 {n} 千字符</translation>
    </message>
    <message>
        <source>Remove {file}</source>
        <translation>移除{file}</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Ask anything</source>
        <translation>想问什么，写在这里</translation>
    </message>
    <message>
        <source>Ask a follow-up</source>
        <translation>继续提问</translation>
    </message>
</context>
<context>
    <name>ConversationView</name>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>You: {text}</source>
        <translation>您：{text}</translation>
    </message>
    <message>
        <source>Snug: {text}</source>
        <translation>Snug：{text}</translation>
    </message>
    <message>
        <source>Snug is writing</source>
        <translation>Snug 正在写</translation>
    </message>
    <message>
        <source>You stopped this answer.</source>
        <translation>您已停止这次回答。</translation>
    </message>
    <message>
        <source>This answer reached its length limit.</source>
        <translation>这次回答已达到长度上限。</translation>
    </message>
    <message>
        <source>This answer is not finished.</source>
        <translation>这次回答没有写完。</translation>
    </message>
    <message>
        <source>There is no answer to this yet.</source>
        <translation>这条消息还没有回答。</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续写</translation>
    </message>
    <message>
        <source>Copy answer</source>
        <translation>复制回答</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <source>Edit message</source>
        <translation>修改消息</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>复制代码</translation>
    </message>
    <message>
        <source>Code, {label}</source>
        <translation>代码，{label}</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Table, {rows} rows, {columns} columns</source>
        <translation>表格，{rows} 行，{columns} 列</translation>
    </message>
    <message>
        <source>Go to the newest</source>
        <translation>回到最新内容</translation>
    </message>
    <message>
        <source>Select the message</source>
        <translation>选择这条消息</translation>
    </message>
</context>
<context>
    <name>DetailsDialog</name>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>You</source>
        <translation>您</translation>
    </message>
    <message>
        <source>Snug</source>
        <translation>Snug</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>This answer is not finished.</source>
        <translation>这次回答没有写完。</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Chat title</source>
        <translation>对话标题</translation>
    </message>
    <message>
        <source>Getting ready…</source>
        <translation>正在准备…</translation>
    </message>
    <message>
        <source>Model: {name}</source>
        <translation>模型：{name}</translation>
    </message>
</context>
<context>
    <name>LinkDialog</name>
    <message>
        <source>Open this address?</source>
        <translation>要打开这个地址吗？</translation>
    </message>
    <message>
        <source>It opens outside Snug. Nothing from this chat is sent.</source>
        <translation>它会在 Snug 之外打开，此对话的内容不会外传。</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
</context>
<context>
    <name>Messages</name>
    <message>
        <source>Something went wrong.</source>
        <translation>出了点问题。</translation>
    </message>
    <message>
        <source>Your text is safe.</source>
        <translation>您的文字没有丢。</translation>
    </message>
    <message>
        <source>Snug cannot use this model.</source>
        <translation>Snug 无法使用这个模型。</translation>
    </message>
    <message>
        <source>Something is wrong with its file. Your chats are safe.</source>
        <translation>它的文件有问题，您的对话都还在。</translation>
    </message>
    <message>
        <source>The file of the model is missing.</source>
        <translation>找不到模型文件。</translation>
    </message>
    <message>
        <source>It was moved or deleted. Your chats are safe.</source>
        <translation>文件可能被移动或删除了，您的对话都还在。</translation>
    </message>
    <message>
        <source>The starter model is missing.</source>
        <translation>入门模型不见了。</translation>
    </message>
    <message>
        <source>Install Snug again to get it back. Your chats stay.</source>
        <translation>重新安装 Snug 就能找回，您的对话都会保留。</translation>
    </message>
    <message>
        <source>This file is not a model that Snug can use.</source>
        <translation>这个文件不是 Snug 能用的模型。</translation>
    </message>
    <message>
        <source>Your chats are safe.</source>
        <translation>您的对话都还在。</translation>
    </message>
    <message>
        <source>Part of the model is missing.</source>
        <translation>模型缺少一部分。</translation>
    </message>
    <message>
        <source>Its file is not complete. Your chats are safe.</source>
        <translation>模型文件不完整，您的对话都还在。</translation>
    </message>
    <message>
        <source>The file of the model is damaged.</source>
        <translation>模型文件已损坏。</translation>
    </message>
    <message>
        <source>Snug cannot read all of it. Your chats are safe.</source>
        <translation>Snug 无法完整读取它，您的对话都还在。</translation>
    </message>
    <message>
        <source>This model needs a newer Snug.</source>
        <translation>这个模型需要新版本的 Snug。</translation>
    </message>
    <message>
        <source>Your chats are safe. Update Snug to use it.</source>
        <translation>您的对话都还在。更新 Snug 后就能使用。</translation>
    </message>
    <message>
        <source>This model is made for another kind of computer.</source>
        <translation>这个模型是为另一类电脑制作的。</translation>
    </message>
    <message>
        <source>This file is only one part of a model.</source>
        <translation>这个文件只是模型的一部分。</translation>
    </message>
    <message>
        <source>Snug needs the whole model in one file.</source>
        <translation>Snug 需要整个模型在同一个文件里。</translation>
    </message>
    <message>
        <source>This model cannot hold a conversation.</source>
        <translation>这个模型不能对话。</translation>
    </message>
    <message>
        <source>It is made for other work. Your chats are safe.</source>
        <translation>它是为别的用途制作的，您的对话都还在。</translation>
    </message>
    <message>
        <source>The model could not start.</source>
        <translation>模型无法启动。</translation>
    </message>
    <message>
        <source>Your chat and what you wrote are safe.</source>
        <translation>您的对话和写下的文字都已保留。</translation>
    </message>
    <message>
        <source>This message is too long for the model.</source>
        <translation>这条消息对模型来说太长了。</translation>
    </message>
    <message>
        <source>Nothing is lost. Make it shorter, or send it in parts.</source>
        <translation>内容都还在。请缩短一些，或分几次发送。</translation>
    </message>
    <message>
        <source>The model stopped.</source>
        <translation>模型停止运行了。</translation>
    </message>
    <message>
        <source>This model cannot follow the chat.</source>
        <translation>这个模型跟不上此对话。</translation>
    </message>
    <message>
        <source>Your text is safe. A new chat may help.</source>
        <translation>您的文字没有丢。可以试试新建对话。</translation>
    </message>
    <message>
        <source>No model is ready yet.</source>
        <translation>还没有准备好的模型。</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>What was written so far is kept.</source>
        <translation>已经写出的内容都已保留。</translation>
    </message>
    <message>
        <source>What you wrote is still here.</source>
        <translation>您写下的文字都还在。</translation>
    </message>
    <message>
        <source>Snug could not save this.</source>
        <translation>Snug 无法保存。</translation>
    </message>
    <message>
        <source>What you wrote is still here. Try again in a moment.</source>
        <translation>您写下的文字都还在，请稍后再试。</translation>
    </message>
    <message>
        <source>A newer Snug has saved your chats.</source>
        <translation>您的对话是由更新版本的 Snug 保存的。</translation>
    </message>
    <message>
        <source>They are left as they are. Update Snug to read them.</source>
        <translation>它们保持原样。更新 Snug 后就能打开。</translation>
    </message>
    <message>
        <source>The file with your chats is damaged.</source>
        <translation>保存对话的文件已损坏。</translation>
    </message>
    <message>
        <source>Snug leaves it as it is, so that nothing more is lost.</source>
        <translation>Snug 不会改动它，以免再丢失内容。</translation>
    </message>
    <message>
        <source>Your earlier chats could not be read.</source>
        <translation>之前的对话无法读取。</translation>
    </message>
    <message>
        <source>They are kept in a file of their own beside the new ones.</source>
        <translation>它们保存在新对话旁边的另一个文件里。</translation>
    </message>
    <message>
        <source>Another program is using your chats.</source>
        <translation>另一个程序正在使用您的对话。</translation>
    </message>
    <message>
        <source>The disk is full.</source>
        <translation>磁盘已满。</translation>
    </message>
    <message>
        <source>What you wrote is still here. Free some space, then try again.</source>
        <translation>您写下的文字都还在。请腾出一些空间，然后重试。</translation>
    </message>
    <message>
        <source>Snug is not allowed to save here.</source>
        <translation>Snug 没有权限保存到这里。</translation>
    </message>
    <message>
        <source>What you wrote is still here, but only until you close Snug.</source>
        <translation>您写下的文字还在，但关闭 Snug 后就会消失。</translation>
    </message>
    <message>
        <source>This chat is no longer there.</source>
        <translation>这个对话已经不在了。</translation>
    </message>
    <message>
        <source>It was deleted meanwhile.</source>
        <translation>它已被删除。</translation>
    </message>
    <message>
        <source>Snug is still writing in this chat.</source>
        <translation>Snug 还在此对话中写回答。</translation>
    </message>
    <message>
        <source>Wait for it, or press Esc to stop.</source>
        <translation>请等它写完，或按 Esc 停止。</translation>
    </message>
    <message>
        <source>There is nothing to answer yet.</source>
        <translation>还没有要回答的内容。</translation>
    </message>
    <message>
        <source>Write a message first.</source>
        <translation>请先写一条消息。</translation>
    </message>
    <message>
        <source>This setting was not changed.</source>
        <translation>这项设置没有更改。</translation>
    </message>
    <message>
        <source>Snug kept the value from before.</source>
        <translation>Snug 保留了原来的设置。</translation>
    </message>
    <message>
        <source>This model is not made for chatting.</source>
        <translation>这个模型不是为聊天制作的。</translation>
    </message>
    <message>
        <source>It answers all the same, but may wander off.</source>
        <translation>它仍会回答，但可能答非所问。</translation>
    </message>
    <message>
        <source>This model describes chats in a way Snug cannot read.</source>
        <translation>Snug 读不懂这个模型的对话格式。</translation>
    </message>
    <message>
        <source>Snug uses a common way instead, so answers may be odd.</source>
        <translation>Snug 改用常见的格式，回答可能有些奇怪。</translation>
    </message>
    <message>
        <source>Earlier messages were shortened to make room.</source>
        <translation>较早的内容已缩短，好腾出位置。</translation>
    </message>
    <message>
        <source>You can still read all of them here.</source>
        <translation>您在这里仍能看到全部内容。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>重新启动</translation>
    </message>
    <message>
        <source>Edit message</source>
        <translation>修改消息</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>已置顶</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>Last week</source>
        <translation>上周</translation>
    </message>
    <message>
        <source>Older</source>
        <translation>更早</translation>
    </message>
    <message>
        <source>open</source>
        <translation>已打开</translation>
    </message>
    <message>
        <source>Snug is writing here</source>
        <translation>Snug 正在这里写</translation>
    </message>
    <message>
        <source>Chat title</source>
        <translation>对话标题</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>对话列表</translation>
    </message>
    <message>
        <source>More for {title}</source>
        <translation>“{title}”的更多操作</translation>
    </message>
    <message>
        <source>Search chats</source>
        <translation>搜索对话</translation>
    </message>
    <message>
        <source>No chat has these words.</source>
        <translation>没有对话包含这些文字。</translation>
    </message>
    <message>
        <source>Hide sidebar</source>
        <translation>隐藏侧边栏</translation>
    </message>
    <message>
        <source>Show sidebar</source>
        <translation>显示侧边栏</translation>
    </message>
</context>
<context>
    <name>Status</name>
    <message>
        <source>Snug is writing</source>
        <translation>Snug 正在写</translation>
    </message>
    <message>
        <source>Wait, or press Esc to stop</source>
        <translation>请稍候，或按 Esc 停止</translation>
    </message>
    <message>
        <source>Getting ready… press Esc to stop</source>
        <translation>正在准备，按 Esc 停止</translation>
    </message>
    <message>
        <source>Reading… press Esc to stop</source>
        <translation>正在阅读，按 Esc 停止</translation>
    </message>
    <message>
        <source>Writing… press Esc to stop</source>
        <translation>正在写，按 Esc 停止</translation>
    </message>
    <message>
        <source>Editing your last message. Esc leaves it as it was</source>
        <translation>正在修改上一条消息，按 Esc 放弃修改</translation>
    </message>
    <message>
        <source>Answers can be wrong. Check what matters.</source>
        <translation>回答可能有错，重要的事请再核实。</translation>
    </message>
    <message>
        <source>Enter to send, Shift+Enter for a new line</source>
        <translation>按 Enter 发送，按 Shift+Enter 换行</translation>
    </message>
    <message>
        <source>Private – on this computer</source>
        <translation>私密，只在这台电脑上</translation>
    </message>
    <message>
        <source>Privacy: on this computer</source>
        <translation>隐私：只在这台电脑上</translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Snug does not open this kind of link</source>
        <translation>Snug 不打开这类链接</translation>
    </message>
    <message>
        <source>Text size {n} percent</source>
        <translation>文字大小 {n}%</translation>
    </message>
    <message>
        <source>Chat deleted</source>
        <translation>对话已删除</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>What can I help with?</source>
        <translation>想让我帮您做点什么？</translation>
    </message>
    <message>
        <source>Write a letter</source>
        <translation>写一封信</translation>
    </message>
    <message>
        <source>Help me write a letter. It is about: </source>
        <translation>请帮我写一封信，内容是：</translation>
    </message>
    <message>
        <source>Explain a text</source>
        <translation>解释一段文字</translation>
    </message>
    <message>
        <source>Explain this text in plain words: </source>
        <translation>请用大白话解释这段文字：</translation>
    </message>
    <message>
        <source>Collect ideas</source>
        <translation>想些点子</translation>
    </message>
    <message>
        <source>Give me five ideas for: </source>
        <translation>请给我五个点子，关于：</translation>
    </message>
    <message>
        <source>Translate</source>
        <translation>翻译</translation>
    </message>
    <message>
        <source>Translate this into English: </source>
        <translation>请翻译成英文：</translation>
    </message>
</context>
</TS>
