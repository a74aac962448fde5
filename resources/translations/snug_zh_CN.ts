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
    <name>Details</name>
    <message>
        <source>{label}: {value}</source>
        <translation>{label}：{value}</translation>
    </message>
    <message>
        <source>all {n} layers on the processor</source>
        <translation>全部 {n} 层都在处理器上</translation>
    </message>
    <message>
        <source>{k} of {n} layers on the graphics cards</source>
        <translation>{n} 层中有 {k} 层在几块显卡上</translation>
    </message>
    <message>
        <source>{k} of {n} layers on the graphics card</source>
        <translation>{n} 层中有 {k} 层在显卡上</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>a process of its own</source>
        <translation>单独的进程</translation>
    </message>
    <message>
        <source>inside Snug</source>
        <translation>Snug 内部</translation>
    </message>
    <message>
        <source>Runs in</source>
        <translation>运行位置</translation>
    </message>
    <message>
        <source>Loaded in</source>
        <translation>加载用时</translation>
    </message>
    <message>
        <source>Memory of the model&apos;s process grew by</source>
        <translation>模型进程的内存增加了</translation>
    </message>
    <message>
        <source>Memory of Snug grew by</source>
        <translation>Snug 的内存增加了</translation>
    </message>
    <message>
        <source>another computer</source>
        <translation>另一台电脑</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Model there</source>
        <translation>那里的模型</translation>
    </message>
    <message>
        <source>Ready in</source>
        <translation>准备用时</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>判断</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Memory, {pool}</source>
        <translation>内存（{pool}）</translation>
    </message>
    <message>
        <source>Measured, {pool}</source>
        <translation>实测（{pool}）</translation>
    </message>
    <message>
        <source>{n} tokens a second</source>
        <translation>每秒 {n} 个词元</translation>
    </message>
    <message>
        <source>Predicted speed</source>
        <translation>预计速度</translation>
    </message>
    <message>
        <source>Measured speed</source>
        <translation>实测速度</translation>
    </message>
    <message>
        <source>Reasons</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>{n} tokens (about {p} pages of {t} tokens)</source>
        <translation>{n} 个词元（约 {p} 页，每页按 {t} 个词元计）</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Flash attention</source>
        <translation>Flash Attention</translation>
    </message>
    <message>
        <source>Load mode</source>
        <translation>加载方式</translation>
    </message>
    <message>
        <source>of {n} layers</source>
        <translation>{n} 层</translation>
    </message>
    <message>
        <source>Experts in main memory</source>
        <translation>放在主内存的专家</translation>
    </message>
    <message>
        <source>{a} of {b} (weights {w}, KV cache {k}, compute {c}, other {o})</source>
        <translation>{a}，可用 {b}（权重 {w}，KV 缓存 {k}，计算 {c}，其他 {o}）</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
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
    <name>Elsewhere</name>
    <message>
        <source>Answers come from {server}</source>
        <translation>回答来自 {server}</translation>
    </message>
    <message>
        <source>Answers come from {server}. What you write is sent there.</source>
        <translation>回答来自 {server}。您写的内容会发送到那里。</translation>
    </message>
    <message>
        <source>Snug is set to stay offline, so no other computer can answer.</source>
        <translation>Snug 已设为保持离线，所以别的电脑不能回答。</translation>
    </message>
    <message>
        <source>What you write is sent to that computer. Use one that you trust.</source>
        <translation>您写的内容会发送到那台电脑。请只用您信任的电脑。</translation>
    </message>
    <message>
        <source>Over http, others in the network could read it too.</source>
        <translation>用 http 时，网络中的其他人也可能读到。</translation>
    </message>
    <message>
        <source>Write it as in http://name:8080/v1, for example.</source>
        <translation>写法例如 http://name:8080/v1。</translation>
    </message>
    <message>
        <source>Check the address, and that the program there is running.</source>
        <translation>请检查地址，以及那里的程序是否在运行。</translation>
    </message>
    <message>
        <source>Write it into the field above.</source>
        <translation>请写在上面的框里。</translation>
    </message>
    <message>
        <source>Many want /v1 at the end of the address.</source>
        <translation>很多程序要求地址以 /v1 结尾。</translation>
    </message>
    <message>
        <source>Let another computer answer</source>
        <translation>让另一台电脑回答</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Key, if it wants one</source>
        <translation>密钥（如果需要）</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>使用它</translation>
    </message>
    <message>
        <source>A computer with more memory can run larger models. A program for it must be running there, such as Ollama, vLLM or llama-server.</source>
        <translation>内存更大的电脑能运行更大的模型。那里须有相应的程序在运行，例如 Ollama、vLLM 或 llama-server。</translation>
    </message>
    <message>
        <source>Answer on this computer again</source>
        <translation>重新在这台电脑上回答</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Stay offline</source>
        <translation>保持离线</translation>
    </message>
    <message>
        <source>Snug connects to no other computer while this is on.</source>
        <translation>打开时，Snug 不连接任何别的电脑。</translation>
    </message>
    <message>
        <source>In use now: {model}</source>
        <translation>正在使用：{model}</translation>
    </message>
    <message>
        <source>The key for this address is kept already</source>
        <translation>这个地址的密钥已保存</translation>
    </message>
    <message>
        <source>Kept in this computer’s keychain, if it has one</source>
        <translation>如果这台电脑有钥匙串，就保存在其中</translation>
    </message>
    <message>
        <source>Stop looking</source>
        <translation>停止查找</translation>
    </message>
    <message>
        <source>Find models</source>
        <translation>查找模型</translation>
    </message>
    <message>
        <source>Asking that computer…</source>
        <translation>正在询问那台电脑…</translation>
    </message>
    <message>
        <source>One model found</source>
        <translation>找到 1 个模型</translation>
    </message>
    <message>
        <source>{n} models found</source>
        <translation>找到 {n} 个模型</translation>
    </message>
    <message>
        <source>Name of the model there</source>
        <translation>那里的模型名称</translation>
    </message>
    <message>
        <source>That computer does not say which models it has.</source>
        <translation>那台电脑没有说明它有哪些模型。</translation>
    </message>
    <message>
        <source>Models found</source>
        <translation>找到的模型</translation>
    </message>
    <message>
        <source>The key is kept only until Snug is closed.</source>
        <translation>密钥只保留到 Snug 关闭为止。</translation>
    </message>
    <message>
        <source>This computer has no keychain that Snug can use, so write it again then.</source>
        <translation>这台电脑没有 Snug 能用的钥匙串，到时请再写一次。</translation>
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
    <name>Fit</name>
    <message>
        <source>Runs well</source>
        <translation>运行流畅</translation>
    </message>
    <message>
        <source>Runs slowly</source>
        <translation>运行较慢</translation>
    </message>
    <message>
        <source>Too big</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>Needs {a} GB, {b} free</source>
        <translation>需要 {a} GB，可用 {b} GB</translation>
    </message>
    <message>
        <source>Needs {a} of {b} GB</source>
        <translation>需要 {a} GB，共可用 {b} GB</translation>
    </message>
    <message>
        <source>Needs {a}, {b} free</source>
        <translation>需要 {a}，可用：{b}</translation>
    </message>
    <message>
        <source>Needs {a} of {b}</source>
        <translation>需要 {a}，可用：{b}</translation>
    </message>
    <message>
        <source>{thing}, {said}</source>
        <translation>{thing}，{said}</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Chat title</source>
        <translation>对话标题</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>没有模型</translation>
    </message>
    <message>
        <source>Getting ready…</source>
        <translation>正在准备…</translation>
    </message>
    <message>
        <source>Not loaded</source>
        <translation>未加载</translation>
    </message>
    <message>
        <source>Does not answer</source>
        <translation>没有回应</translation>
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
    <name>Loading</name>
    <message>
        <source>Getting {model} ready… about {n} minutes.</source>
        <translation>正在准备 {model}，大约 {n} 分钟。</translation>
    </message>
    <message>
        <source>Getting {model} ready… about one minute.</source>
        <translation>正在准备 {model}，大约一分钟。</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>正在检查……</translation>
    </message>
    <message>
        <source>Trying it out first…</source>
        <translation>先试运行一次……</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在加载……</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel loading</source>
        <translation>取消加载</translation>
    </message>
    <message>
        <source>Getting {model} ready…</source>
        <translation>正在准备 {model}。</translation>
    </message>
    <message>
        <source>Getting {model} ready… about {n} seconds.</source>
        <translation>正在准备 {model}，大约 {n} 秒。</translation>
    </message>
</context>
<context>
    <name>MemoryFull</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>this model</source>
        <translation>这个模型</translation>
    </message>
    <message>
        <source>{model} is too slow for this computer</source>
        <translation>{model} 在这台电脑上太慢</translation>
    </message>
    <message>
        <source>Not enough memory for {model}</source>
        <translation>内存不够，无法运行 {model}</translation>
    </message>
    <message>
        <source>It needs {a} and {b} is free.</source>
        <translation>需要 {a}，目前可用：{b}。</translation>
    </message>
    <message>
        <source>Your chat and what you wrote are safe.</source>
        <translation>您的对话和写下的文字都已保留。</translation>
    </message>
    <message>
        <source>Use {name} instead</source>
        <translation>换用 {name}</translation>
    </message>
    <message>
        <source>Use a shorter memory (about {n} pages)</source>
        <translation>少记一些对话（大约 {n} 页）</translation>
    </message>
    <message>
        <source>Use a shorter memory (about one page)</source>
        <translation>少记一些对话（大约 1 页）</translation>
    </message>
    <message>
        <source>Close other programs, then try again</source>
        <translation>先关闭其他程序，再试一次</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Load it anyway (the computer may become very slow)</source>
        <translation>仍然加载（电脑可能会变得很慢）</translation>
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
        <source>There was not enough memory.</source>
        <translation>内存不够。</translation>
    </message>
    <message>
        <source>The model stopped. Your text is safe.</source>
        <translation>模型已停止。您的文字没有丢。</translation>
    </message>
    <message>
        <source>{model} did not end well last time.</source>
        <translation>{model} 上次没有正常结束。</translation>
    </message>
    <message>
        <source>It waits until you start it.</source>
        <translation>它会等到您启动它。</translation>
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
        <source>Not enough memory for {model}.</source>
        <translation>内存不够，无法运行 {model}。</translation>
    </message>
    <message>
        <source>It needs {a} and {b} is free.</source>
        <translation>需要 {a}，目前可用：{b}。</translation>
    </message>
    <message>
        <source>The model no longer answered.</source>
        <translation>模型没有反应了。</translation>
    </message>
    <message>
        <source>Snug ended it. Your text is safe.</source>
        <translation>Snug 已停止它，您的文字没有丢。</translation>
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
        <source>This kind of model needs a part of Snug that is not installed.</source>
        <translation>这种模型需要 Snug 的一个尚未安装的部分。</translation>
    </message>
    <message>
        <source>Choose another model. Your chats are safe.</source>
        <translation>请选择别的模型。您的对话是安全的。</translation>
    </message>
    <message>
        <source>A part of the engine cannot be used on this computer.</source>
        <translation>引擎的一个部分不能在这台电脑上使用。</translation>
    </message>
    <message>
        <source>Snug works without it, on the processor.</source>
        <translation>没有它 Snug 也能用处理器工作。</translation>
    </message>
    <message>
        <source>This pack cannot be used.</source>
        <translation>这个扩展包不能使用。</translation>
    </message>
    <message>
        <source>Get it again from where you had it. Nothing was changed.</source>
        <translation>请从原处重新获取。没有任何改动。</translation>
    </message>
    <message>
        <source>The other computer did not answer as it should.</source>
        <translation>另一台电脑没有正常回应。</translation>
    </message>
    <message>
        <source>Snug is set to stay offline.</source>
        <translation>Snug 已设为保持离线。</translation>
    </message>
    <message>
        <source>So no other computer was asked. Your text is safe.</source>
        <translation>所以没有询问别的电脑。您的文字是安全的。</translation>
    </message>
    <message>
        <source>This address cannot be used.</source>
        <translation>这个地址不能使用。</translation>
    </message>
    <message>
        <source>Write it as in http://name:8080/v1, for example.</source>
        <translation>写法例如 http://name:8080/v1。</translation>
    </message>
    <message>
        <source>Nothing answers at this address.</source>
        <translation>这个地址没有任何回应。</translation>
    </message>
    <message>
        <source>Check that the other computer is on and that the network works.</source>
        <translation>请检查另一台电脑是否开着，网络是否正常。</translation>
    </message>
    <message>
        <source>The other computer could not prove who it is.</source>
        <translation>另一台电脑无法证明自己的身份。</translation>
    </message>
    <message>
        <source>So nothing was sent to it. Your text is safe.</source>
        <translation>所以没有向它发送任何内容。您的文字是安全的。</translation>
    </message>
    <message>
        <source>The other computer stopped answering.</source>
        <translation>另一台电脑停止了回应。</translation>
    </message>
    <message>
        <source>What came of the answer is kept.</source>
        <translation>已收到的回答会保留。</translation>
    </message>
    <message>
        <source>The other computer wants another key.</source>
        <translation>另一台电脑需要另一个密钥。</translation>
    </message>
    <message>
        <source>The other computer does not have this model.</source>
        <translation>另一台电脑没有这个模型。</translation>
    </message>
    <message>
        <source>Choose one that it has. Your text is safe.</source>
        <translation>请选择它有的模型。您的文字是安全的。</translation>
    </message>
    <message>
        <source>The other computer is busy.</source>
        <translation>另一台电脑正忙。</translation>
    </message>
    <message>
        <source>Try again in a while. Your text is safe.</source>
        <translation>请稍后再试。您的文字是安全的。</translation>
    </message>
    <message>
        <source>Something failed on the other computer.</source>
        <translation>另一台电脑上出了故障。</translation>
    </message>
    <message>
        <source>Something else answers at this address.</source>
        <translation>这个地址上回应的是别的东西。</translation>
    </message>
    <message>
        <source>No model was found there. Check the address.</source>
        <translation>那里没有找到模型。请检查地址。</translation>
    </message>
    <message>
        <source>This file does not describe a computer.</source>
        <translation>这个文件不是电脑的描述文件。</translation>
    </message>
    <message>
        <source>Snug cannot read it. Your chats are safe.</source>
        <translation>Snug 读不了它，您的对话都在。</translation>
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
        <source>{model} is too slow for this computer.</source>
        <translation>{model} 在这台电脑上太慢。</translation>
    </message>
    <message>
        <source>It would write less than a word a second.</source>
        <translation>它一秒钟写不了一个词。</translation>
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
        <source>this model</source>
        <translation>这个模型</translation>
    </message>
    <message>
        <source>This model</source>
        <translation>这个模型</translation>
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
        <source>Memory is nearly full.</source>
        <translation>内存快满了。</translation>
    </message>
    <message>
        <source>Close a program you do not need.</source>
        <translation>请关闭不需要的程序。</translation>
    </message>
    <message>
        <source>Memory was nearly full, so {model} was closed.</source>
        <translation>内存快满了，Snug 关闭了 {model}。</translation>
    </message>
    <message>
        <source>The graphics card is much slower than it was.</source>
        <translation>显卡比以前慢了很多。</translation>
    </message>
    <message>
        <source>Answers go on. Restarting the computer may help.</source>
        <translation>回答会继续。重新启动电脑可能有帮助。</translation>
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
    <message>
        <source>Try it again</source>
        <translation>再试一次</translation>
    </message>
    <message>
        <source>What can help</source>
        <translation>解决办法</translation>
    </message>
</context>
<context>
    <name>Model</name>
    <message>
        <source>No model has been started yet.</source>
        <translation>还没有启动模型。</translation>
    </message>
    <message>
        <source>It is getting ready.</source>
        <translation>正在准备。</translation>
    </message>
    <message>
        <source>It is ready.</source>
        <translation>可以用了。</translation>
    </message>
    <message>
        <source>It rests, to leave memory to others. Ask, and it starts.</source>
        <translation>它在休息，好把内存让给其他程序。您一提问，它就会启动。</translation>
    </message>
    <message>
        <source>It is not loaded. Ask, and it starts.</source>
        <translation>还没有加载。您一提问，它就会启动。</translation>
    </message>
    <message>
        <source>It could not start.</source>
        <translation>没能启动。</translation>
    </message>
    <message>
        <source>Ask it again</source>
        <translation>再问一次</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>What can help</source>
        <translation>解决办法</translation>
    </message>
    <message>
        <source>Start it now</source>
        <translation>现在启动</translation>
    </message>
    <message>
        <source>Answer on this computer again</source>
        <translation>重新在这台电脑上回答</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Copy the details</source>
        <translation>复制详细信息</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>没有模型</translation>
    </message>
    <message>
        <source>Choose another computer or model there…</source>
        <translation>选择另一台电脑或那里的模型…</translation>
    </message>
    <message>
        <source>Let another computer answer…</source>
        <translation>让另一台电脑回答…</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
</context>
<context>
    <name>Plan</name>
    <message>
        <source>Newer software for the graphics card, its driver, can help. Snug then tries it again by itself.</source>
        <translation>更新显卡的软件（驱动程序）可能有帮助。之后 Snug 会自动再试。</translation>
    </message>
    <message>
        <source>Newer software for it, its driver, can help if its maker has one.</source>
        <translation>如果厂商提供，更新它的软件（驱动程序）可能有帮助。</translation>
    </message>
    <message>
        <source>If this computer does have a graphics card, install the driver that its maker offers.</source>
        <translation>如果这台电脑确实有显卡，请安装厂商提供的驱动程序。</translation>
    </message>
    <message>
        <source>A smaller model could use it.</source>
        <translation>较小的模型可以使用它。</translation>
    </message>
    <message>
        <source>{first} {second}</source>
        <translation>{first}{second}</translation>
    </message>
    <message>
        <source>It fits into memory and runs well here.</source>
        <translation>内存放得下，在这台电脑上运行流畅。</translation>
    </message>
    <message>
        <source>It fits into memory, but writes more slowly than people read.</source>
        <translation>内存放得下，但写得比人阅读慢。</translation>
    </message>
    <message>
        <source>It fits into memory, but is not fast here.</source>
        <translation>内存放得下，但在这台电脑上不算快。</translation>
    </message>
    <message>
        <source>It would write less than a word a second here.</source>
        <translation>在这台电脑上，它一秒钟写不了一个词。</translation>
    </message>
    <message>
        <source>This model needs {a} of memory, and {b} is free.</source>
        <translation>这个模型需要 {a} 内存，目前可用：{b}。</translation>
    </message>
    <message>
        <source>Its file does not say how much memory it needs.</source>
        <translation>它的文件没有说明需要多少内存。</translation>
    </message>
    <message>
        <source>All of it runs on the graphics card.</source>
        <translation>全部在显卡上运行。</translation>
    </message>
    <message>
        <source>A part of it runs on the graphics card, the rest on the processor.</source>
        <translation>一部分在显卡上运行，其余在处理器上。</translation>
    </message>
    <message>
        <source>The graphics card and the processor share the work, to save memory.</source>
        <translation>显卡和处理器分担工作，以节省内存。</translation>
    </message>
    <message>
        <source>Several graphics cards share the work.</source>
        <translation>几块显卡分担工作。</translation>
    </message>
    <message>
        <source>The processor does all the work.</source>
        <translation>全部工作由处理器完成。</translation>
    </message>
    <message>
        <source>It is too big for the graphics card, so the processor does the work.</source>
        <translation>显卡放不下它，所以由处理器来运行。</translation>
    </message>
    <message>
        <source>The graphics card does not work well with models, so it is not used.</source>
        <translation>这块显卡不适合运行模型，所以没有用它。</translation>
    </message>
    <message>
        <source>The graphics card did not work as it should, so it is not used.</source>
        <translation>显卡没有正常工作，所以没有用它。</translation>
    </message>
    <message>
        <source>The processor is faster here than the graphics card.</source>
        <translation>在这台电脑上，处理器比显卡快。</translation>
    </message>
    <message>
        <source>There is no real graphics card, so the processor does the work.</source>
        <translation>没有真正的显卡，所以由处理器来运行。</translation>
    </message>
    <message>
        <source>The graphics card shares its memory with other programs.</source>
        <translation>显卡与其他程序共用内存。</translation>
    </message>
    <message>
        <source>It remembers less of a conversation than it could, so that it fits.</source>
        <translation>为了放得下，它记住的对话比本来少一些。</translation>
    </message>
    <message>
        <source>It remembers as much of a conversation as it was made for.</source>
        <translation>它能记住的对话已达到设计的上限。</translation>
    </message>
    <message>
        <source>It was not made to remember so much: long conversations may go wrong.</source>
        <translation>它的设计容量没有这么大：很长的对话可能会出错。</translation>
    </message>
    <message>
        <source>It remembers conversations a little less exactly, to save memory.</source>
        <translation>为节省内存，它记对话时略微不那么精确。</translation>
    </message>
    <message>
        <source>It reads long texts in smaller steps, to save memory.</source>
        <translation>为节省内存，它分小步来读长文字。</translation>
    </message>
    <message>
        <source>It gives up some speed to save memory.</source>
        <translation>为节省内存，它牺牲了一些速度。</translation>
    </message>
    <message>
        <source>Other programs hold much of the memory right now.</source>
        <translation>目前其他程序占用了很多内存。</translation>
    </message>
    <message>
        <source>Snug may use only a part of the memory of this computer.</source>
        <translation>Snug 只能使用这台电脑的一部分内存。</translation>
    </message>
    <message>
        <source>It writes more slowly than people read.</source>
        <translation>它写得比人阅读慢。</translation>
    </message>
    <message>
        <source>Snug does not know this kind of model well, so it is careful with memory.</source>
        <translation>Snug 对这类模型还不太了解，所以会谨慎使用内存。</translation>
    </message>
    <message>
        <source>It failed before, so Snug now runs it more carefully.</source>
        <translation>它之前出过问题，所以 Snug 现在更谨慎地运行它。</translation>
    </message>
    <message>
        <source>You asked to load it although memory may not suffice.</source>
        <translation>您选择了在内存可能不够的情况下仍然加载它。</translation>
    </message>
    <message>
        <source>How much memory it needs is not known.</source>
        <translation>还不知道它需要多少内存。</translation>
    </message>
    <message>
        <source>It needs more memory than is free.</source>
        <translation>它需要的内存超过了可用的内存。</translation>
    </message>
    <message>
        <source>almost nothing</source>
        <translation>几乎没有</translation>
    </message>
    <message>
        <source>Remembers about one page of the conversation</source>
        <translation>大约能记住 1 页对话</translation>
    </message>
    <message>
        <source>Remembers about {n} pages of the conversation</source>
        <translation>大约能记住 {n} 页对话</translation>
    </message>
    <message>
        <source>Writes more slowly than people read</source>
        <translation>写得比人阅读慢</translation>
    </message>
    <message>
        <source>Writes about as fast as people read</source>
        <translation>写的速度和人阅读差不多</translation>
    </message>
    <message>
        <source>Writes faster than people read</source>
        <translation>写得比人阅读快</translation>
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
        <source>Answer here again</source>
        <translation>重新在此回答</translation>
    </message>
    <message>
        <source>Answer on this computer again</source>
        <translation>重新在这台电脑上回答</translation>
    </message>
    <message>
        <source>Private – on this computer</source>
        <translation>私密，只在这台电脑上</translation>
    </message>
    <message>
        <source>Offline – {server} is not asked</source>
        <translation>离线 – 不询问 {server}</translation>
    </message>
    <message>
        <source>Answers come from {server}</source>
        <translation>回答来自 {server}</translation>
    </message>
    <message>
        <source>Privacy: on this computer</source>
        <translation>隐私：只在这台电脑上</translation>
    </message>
    <message>
        <source>The model does not answer. It is safe to close Snug.</source>
        <translation>模型没有回应。您可以放心关闭 Snug。</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止。</translation>
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
