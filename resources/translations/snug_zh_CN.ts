<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>About</name>
    <message>
        <source>Made of</source>
        <translation>组成部分</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取……</translation>
    </message>
    <message>
        <source>A private assistant that fits your computer.</source>
        <translation>为您的电脑量身挑选的私人助手。</translation>
    </message>
    <message>
        <source>Read it</source>
        <translation>阅读</translation>
    </message>
    <message>
        <source>Read the licence of Snug</source>
        <translation>阅读 Snug 的许可证</translation>
    </message>
    <message>
        <source>Licence of Snug</source>
        <translation>Snug 的许可证</translation>
    </message>
    <message>
        <source>Get its sources…</source>
        <translation>获取源代码……</translation>
    </message>
    <message>
        <source>Get the sources of Qt…</source>
        <translation>获取 Qt 的源代码……</translation>
    </message>
    <message>
        <source>Snug&apos;s window is made with Qt, unchanged and under the LGPL, version 3. You may put your own version of Qt in its place in Snug&apos;s folder.</source>
        <translation>Snug 的窗口使用未经改动的 Qt，依据 LGPL 第 3 版授权。您可以在 Snug 的文件夹里换上自己的 Qt 版本。</translation>
    </message>
    <message>
        <source>Show the folder</source>
        <translation>显示文件夹</translation>
    </message>
    <message>
        <source>Show the folder with all licences</source>
        <translation>显示存放全部许可证的文件夹</translation>
    </message>
    <message>
        <source>All licences</source>
        <translation>全部许可证</translation>
    </message>
    <message>
        <source>Free software, under the licence {name}.</source>
        <translation>自由软件，许可证：{name}。</translation>
    </message>
    <message>
        <source>The texts for everything in Snug, in one folder.</source>
        <translation>Snug 所有组成部分的许可证正文，都在一个文件夹里。</translation>
    </message>
    <message>
        <source>This Snug runs from its source. An installed one has all texts with it.</source>
        <translation>这个 Snug 直接从源代码运行。安装版会附带全部许可证正文。</translation>
    </message>
    <message>
        <source>Press one to read its licence.</source>
        <translation>点一项即可阅读它的许可证。</translation>
    </message>
    <message>
        <source>Licence: {name}</source>
        <translation>许可证：{name}</translation>
    </message>
    <message>
        <source>Text of the licence</source>
        <translation>许可证正文</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>The text is not here. An installed Snug has the texts of all licences in its folder “licences”.</source>
        <translation>这里没有正文。安装版 Snug 的“licences”文件夹里有全部许可证的正文。</translation>
    </message>
    <message>
        <source>see its text</source>
        <translation>见正文</translation>
    </message>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
    <message>
        <source> and </source>
        <translation> 和 </translation>
    </message>
</context>
<context>
    <name>Add</name>
    <message>
        <source>Add {model}?</source>
        <translation>添加 {model}？</translation>
    </message>
    <message>
        <source>Add {n} models?</source>
        <translation>添加 {n} 个模型？</translation>
    </message>
    <message>
        <source>This file is not a model that Snug can use.</source>
        <translation>这个文件不是 Snug 能用的模型。</translation>
    </message>
    <message>
        <source>{file}: {why}</source>
        <translation>{file}：{why}</translation>
    </message>
    <message>
        <source>{file} is not a model that Snug can use.</source>
        <translation>{file} 不是 Snug 能用的模型。</translation>
    </message>
    <message>
        <source>There is no model here that Snug can use.</source>
        <translation>这里没有 Snug 能用的模型。</translation>
    </message>
    <message>
        <source>Copy into Snug&apos;s folder ({size})</source>
        <translation>复制到 Snug 的文件夹（{size}）</translation>
    </message>
    <message>
        <source>Use where it is</source>
        <translation>留在原处使用</translation>
    </message>
    <message>
        <source>It lies on a disk that can be taken away, so Snug needs a copy.</source>
        <translation>它在可以拔走的磁盘上，所以 Snug 需要复制一份。</translation>
    </message>
    <message>
        <source>Used where it is, it must not be moved or deleted.</source>
        <translation>留在原处使用时，请不要移动或删除它。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>and {n} more</source>
        <translation>还有 {n} 个</translation>
    </message>
</context>
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
    <name>Choice</name>
    <message>
        <source>size not known</source>
        <translation>大小未知</translation>
    </message>
    <message>
        <source>Looking at what is there…</source>
        <translation>正在查看有什么……</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Get</source>
        <translation>获取</translation>
    </message>
    <message>
        <source>There is no model here that Snug can use.</source>
        <translation>这里没有 Snug 能用的模型。</translation>
    </message>
    <message>
        <source>not stated</source>
        <translation>未注明</translation>
    </message>
    <message>
        <source>By {owner}. Licence: {licence}.</source>
        <translation>发布者：{owner}。许可证：{licence}。</translation>
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
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>缺少</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Quantization</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
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
    <name>Discover</name>
    <message>
        <source>For this computer</source>
        <translation>适合这台电脑</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>写作</translation>
    </message>
    <message>
        <source>Studying</source>
        <translation>学习</translation>
    </message>
    <message>
        <source>Languages</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Coding</source>
        <translation>编程</translation>
    </message>
    <message>
        <source>Search models</source>
        <translation>搜索模型</translation>
    </message>
    <message>
        <source>Search now</source>
        <translation>现在搜索</translation>
    </message>
    <message>
        <source>Back to the suggestions</source>
        <translation>返回推荐</translation>
    </message>
    <message>
        <source>Looking what fits this computer…</source>
        <translation>正在查看哪些适合这台电脑……</translation>
    </message>
    <message>
        <source>You have all of these.</source>
        <translation>这些您都有了。</translation>
    </message>
    <message>
        <source>Asking the website with the models…</source>
        <translation>正在询问模型网站……</translation>
    </message>
    <message>
        <source>Nothing was found for “{text}”.</source>
        <translation>没有找到与“{text}”有关的模型。</translation>
    </message>
    <message>
        <source>One place has something like it.</source>
        <translation>有 1 处有类似的模型。</translation>
    </message>
    <message>
        <source>{n} places have something like it.</source>
        <translation>有 {n} 处有类似的模型。</translation>
    </message>
</context>
<context>
    <name>Downloads</name>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Use it now</source>
        <translation>现在使用</translation>
    </message>
    <message>
        <source>Download {name}, {percent}</source>
        <translation>下载 {name}，{percent}</translation>
    </message>
    <message>
        <source>Pause {name}</source>
        <translation>暂停 {name}</translation>
    </message>
    <message>
        <source>Resume {name}</source>
        <translation>继续下载 {name}</translation>
    </message>
    <message>
        <source>Put {name} away</source>
        <translation>收起 {name}</translation>
    </message>
    <message>
        <source>Cancel {name}</source>
        <translation>取消 {name}</translation>
    </message>
    <message>
        <source>Fetch {name} earlier</source>
        <translation>提前下载 {name}</translation>
    </message>
    <message>
        <source>Enter the key…</source>
        <translation>输入密钥……</translation>
    </message>
    <message>
        <source>Open the page…</source>
        <translation>打开网页……</translation>
    </message>
    <message>
        <source>Try now</source>
        <translation>现在重试</translation>
    </message>
    <message>
        <source>Waiting for its turn</source>
        <translation>正在排队</translation>
    </message>
    <message>
        <source>Waiting for {model} to finish</source>
        <translation>等待 {model} 下载完</translation>
    </message>
    <message>
        <source>Trying again by itself…</source>
        <translation>会自动重试……</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Paused at {a} of {b}</source>
        <translation>已暂停在 {a}，共 {b}</translation>
    </message>
    <message>
        <source>Checking the file… nearly done</source>
        <translation>正在检查文件，马上就好</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>已就绪</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在开始……</translation>
    </message>
    <message>
        <source>{a} of {b}</source>
        <translation>{a}，共 {b}</translation>
    </message>
    <message>
        <source>{a} of {b} – {t} left</source>
        <translation>已下载 {a}，共 {b}，还要{t}</translation>
    </message>
    <message>
        <source>Disk full. Free {a}, then resume.</source>
        <translation>磁盘已满。请腾出 {a} 后继续。</translation>
    </message>
    <message>
        <source>The connection dropped. Nothing is lost.</source>
        <translation>网络断了，已下载的都还在。</translation>
    </message>
    <message>
        <source>The connection dropped at {a} of {b}. Nothing is lost.</source>
        <translation>网络断了，已下载的 {a}（共 {b}）都还在。</translation>
    </message>
</context>
<context>
    <name>Drop</name>
    <message>
        <source>Drop to add</source>
        <translation>松手即可添加</translation>
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
        <source>Too slow</source>
        <translation>太慢</translation>
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
    <message>
        <source>Get more models…</source>
        <translation>获取更多模型……</translation>
    </message>
</context>
<context>
    <name>Hub</name>
    <message>
        <source>Snug is set to stay offline. You can turn that off under Privacy in the settings.</source>
        <translation>Snug 已设为保持离线。您可以在设置的“隐私”里关闭。</translation>
    </message>
    <message>
        <source>The website with the models cannot be reached. Chatting works all the same.</source>
        <translation>连不上模型网站。可以照常聊天。</translation>
    </message>
    <message>
        <source>The website with the models stopped answering. Try again in a while.</source>
        <translation>模型网站没有回应。请过一会儿再试。</translation>
    </message>
    <message>
        <source>The website with the models does not work right now. Try again in a while.</source>
        <translation>模型网站现在出了故障。请过一会儿再试。</translation>
    </message>
    <message>
        <source>The website with the models is busy. Try again in a while.</source>
        <translation>模型网站正忙。请过一会儿再试。</translation>
    </message>
    <message>
        <source>The website could not prove who it is, so nothing was fetched from it.</source>
        <translation>这个网站无法证明自己的身份，所以没有从它那里下载任何内容。</translation>
    </message>
    <message>
        <source>Something else answers in place of the website with the models.</source>
        <translation>回应的不是模型网站，而是别的东西。</translation>
    </message>
    <message>
        <source>The address of the website with the models cannot be used. Check the settings.</source>
        <translation>模型网站的地址不能用。请检查设置。</translation>
    </message>
</context>
<context>
    <name>Ledger</name>
    <message>
        <source>Connections</source>
        <translation>连接记录</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Still open, or cut off</source>
        <translation>仍在进行，或被中断</translation>
    </message>
    <message>
        <source>Not made: Snug was set to stay offline</source>
        <translation>没有连接：Snug 已设为保持离线</translation>
    </message>
    <message>
        <source>The address could not be used</source>
        <translation>地址不能用</translation>
    </message>
    <message>
        <source>Could not be reached</source>
        <translation>连不上</translation>
    </message>
    <message>
        <source>Could not prove who it is</source>
        <translation>无法证明身份</translation>
    </message>
    <message>
        <source>Stopped answering</source>
        <translation>没有再回应</translation>
    </message>
    <message>
        <source>Was busy</source>
        <translation>对方正忙</translation>
    </message>
    <message>
        <source>Did not work there</source>
        <translation>对方出了故障</translation>
    </message>
    <message>
        <source>Answered something else</source>
        <translation>回应的内容不对</translation>
    </message>
    <message>
        <source>Did not accept the key</source>
        <translation>没有接受密钥</translation>
    </message>
    <message>
        <source>Wanted a key</source>
        <translation>要求提供密钥</translation>
    </message>
    <message>
        <source>Wanted its licence accepted</source>
        <translation>要求先接受许可证</translation>
    </message>
    <message>
        <source>Did not have this model</source>
        <translation>没有这个模型</translation>
    </message>
    <message>
        <source>Had another file than before</source>
        <translation>文件与之前的不同</translation>
    </message>
    <message>
        <source>Was refused on the way there</source>
        <translation>在途中被拒绝</translation>
    </message>
    <message>
        <source>Stopped: Snug was set to stay offline</source>
        <translation>已停止：Snug 已设为保持离线</translation>
    </message>
    <message>
        <source>Did not work</source>
        <translation>没有成功</translation>
    </message>
    <message>
        <source>Asked which models are there</source>
        <translation>询问有哪些模型</translation>
    </message>
    <message>
        <source>Asked whether the model is there</source>
        <translation>询问模型是否在那里</translation>
    </message>
    <message>
        <source>Had a question answered there</source>
        <translation>在那里回答了一个问题</translation>
    </message>
    <message>
        <source>Searched for models</source>
        <translation>搜索模型</translation>
    </message>
    <message>
        <source>Looked at a model</source>
        <translation>查看一个模型</translation>
    </message>
    <message>
        <source>Downloaded a model</source>
        <translation>下载模型</translation>
    </message>
    <message>
        <source>Looked for a newer version of a model</source>
        <translation>查看模型有没有新版本</translation>
    </message>
    <message>
        <source>nothing sent or received</source>
        <translation>没有收发内容</translation>
    </message>
    <message>
        <source>{a} received</source>
        <translation>接收 {a}</translation>
    </message>
    <message>
        <source>{b} sent</source>
        <translation>发送 {b}</translation>
    </message>
    <message>
        <source>{a} received, {b} sent</source>
        <translation>接收 {a}，发送 {b}</translation>
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
        <source>{time}, {why}, {host}, {amounts}, {end}</source>
        <translation>{time}，{why}，{host}，{amounts}，{end}</translation>
    </message>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Where to</source>
        <translation>连接到</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Bytes received</source>
        <translation>接收字节数</translation>
    </message>
    <message>
        <source>Bytes sent</source>
        <translation>发送字节数</translation>
    </message>
    <message>
        <source>How it ended</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
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
    <name>Machine</name>
    <message>
        <source>This computer has {a} GB of memory</source>
        <translation>这台电脑有 {a} GB 内存</translation>
    </message>
    <message>
        <source>Snug can use about {a} of it right now. Your other programs have the rest.</source>
        <translation>Snug 现在大约可以用其中的 {a}，其余的留给您的其他程序。</translation>
    </message>
    <message>
        <source>Snug uses none now</source>
        <translation>Snug 现在没有占用</translation>
    </message>
    <message>
        <source>{a} used by Snug</source>
        <translation>Snug 占用 {a}</translation>
    </message>
    <message>
        <source>{a} left</source>
        <translation>剩余 {a}</translation>
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
        <source>Some parts of this model are missing.</source>
        <translation>这个模型缺少一部分文件。</translation>
    </message>
    <message>
        <source>Put all of its files into one folder. Nothing was changed.</source>
        <translation>请把它的所有文件放进同一个文件夹。什么都没有改动。</translation>
    </message>
    <message>
        <source>The file of the model is not as it should be.</source>
        <translation>模型文件的内容不对。</translation>
    </message>
    <message>
        <source>Part of it is damaged. Get it again. Your chats are safe.</source>
        <translation>有一部分损坏了，请重新获取。您的对话都在。</translation>
    </message>
    <message>
        <source>This model belongs to another program.</source>
        <translation>这个模型属于别的程序。</translation>
    </message>
    <message>
        <source>Snug uses it where it is and never changes it.</source>
        <translation>Snug 只在原处使用它，从不改动。</translation>
    </message>
    <message>
        <source>This model is among your models already.</source>
        <translation>这个模型已经在您的模型里了。</translation>
    </message>
    <message>
        <source>Nothing was copied or changed.</source>
        <translation>没有复制或改动任何内容。</translation>
    </message>
    <message>
        <source>This disk has no bin, so nothing was removed.</source>
        <translation>这个磁盘没有回收站，所以什么都没有删除。</translation>
    </message>
    <message>
        <source>The model can still be deleted for good.</source>
        <translation>仍然可以彻底删除这个模型。</translation>
    </message>
    <message>
        <source>This disk takes no file as large as this model.</source>
        <translation>这个磁盘放不下这么大的单个文件。</translation>
    </message>
    <message>
        <source>Choose a folder on another disk. Nothing is lost.</source>
        <translation>请选择另一个磁盘上的文件夹。什么都没有丢失。</translation>
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
        <source>Snug was updated while it was open.</source>
        <translation>Snug 在运行期间已更新。</translation>
    </message>
    <message>
        <source>Close it and open it again. Your chats are safe.</source>
        <translation>请关闭后重新打开。您的聊天都在，没有丢失。</translation>
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
        <source>The network does not let Snug through.</source>
        <translation>网络不让 Snug 通过。</translation>
    </message>
    <message>
        <source>Check the proxy in the settings. Your text is safe.</source>
        <translation>请检查设置里的代理。您的文字都在。</translation>
    </message>
    <message>
        <source>The website wants to know who asks for this model.</source>
        <translation>网站想知道是谁要这个模型。</translation>
    </message>
    <message>
        <source>It needs an access key of your account there.</source>
        <translation>需要您在那里的账户的访问密钥。</translation>
    </message>
    <message>
        <source>The website does not accept this access key.</source>
        <translation>网站不接受这个访问密钥。</translation>
    </message>
    <message>
        <source>It may have ended. Make a new one there and enter it here.</source>
        <translation>它可能已经失效。请在那里新建一个，再填到这里。</translation>
    </message>
    <message>
        <source>The makers of this model ask you to accept its licence.</source>
        <translation>模型的制作者请您先接受许可证。</translation>
    </message>
    <message>
        <source>Do so on its page, then try again.</source>
        <translation>请在它的网页上接受，然后重试。</translation>
    </message>
    <message>
        <source>This model is no longer there.</source>
        <translation>这个模型已经不在那里了。</translation>
    </message>
    <message>
        <source>The website has no such model or file. Choose another one.</source>
        <translation>网站上没有这个模型或文件。请换一个。</translation>
    </message>
    <message>
        <source>The makers have changed this model meanwhile.</source>
        <translation>制作者在此期间更换了这个模型。</translation>
    </message>
    <message>
        <source>Get it again from the beginning.</source>
        <translation>请从头重新获取。</translation>
    </message>
    <message>
        <source>There is not enough space on the disk.</source>
        <translation>磁盘空间不够。</translation>
    </message>
    <message>
        <source>It needs {a}. Free {b} more, then try again.</source>
        <translation>需要 {a}。请再腾出 {b}，然后重试。</translation>
    </message>
    <message>
        <source>Another Snug is downloading this model.</source>
        <translation>另一个 Snug 正在下载这个模型。</translation>
    </message>
    <message>
        <source>Wait until it is done, or pause it there.</source>
        <translation>请等它下载完，或在那里暂停。</translation>
    </message>
    <message>
        <source>Snug cannot write into this folder.</source>
        <translation>Snug 无法写入这个文件夹。</translation>
    </message>
    <message>
        <source>Choose another folder, or allow Snug to write there.</source>
        <translation>请选择别的文件夹，或允许 Snug 写入。</translation>
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
        <source>Snug cannot save anything now.</source>
        <translation>Snug 现在无法保存任何内容。</translation>
    </message>
    <message>
        <source>What you write or add is gone when you close Snug. Your earlier chats stay as they are.</source>
        <translation>您写下或添加的内容会在关闭 Snug 后消失。您以前的对话保持原样。</translation>
    </message>
    <message>
        <source>Memory is nearly full.</source>
        <translation>内存快满了。</translation>
    </message>
    <message>
        <source>Close a program, or use a smaller model.</source>
        <translation>请关闭一个程序，或换用小一点的模型。</translation>
    </message>
    <message>
        <source>The model you chose is not there any more.</source>
        <translation>您选的模型已经不在了。</translation>
    </message>
    <message>
        <source>Snug answers with the one it came with.</source>
        <translation>Snug 用自带的模型回答。</translation>
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
    <message>
        <source>See models</source>
        <translation>查看模型</translation>
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
    <name>ModelMenu</name>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Check the file</source>
        <translation>检查文件</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Take it with you…</source>
        <translation>带走……</translation>
    </message>
    <message>
        <source>Look for a newer version</source>
        <translation>查看有没有新版本</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>移除……</translation>
    </message>
    <message>
        <source>A file…</source>
        <translation>文件……</translation>
    </message>
    <message>
        <source>A folder or a stick…</source>
        <translation>文件夹或 U 盘……</translation>
    </message>
</context>
<context>
    <name>Models</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Take {model} off the list?</source>
        <translation>把 {model} 从列表中去掉？</translation>
    </message>
    <message>
        <source>Its file stays where it is. Your chats stay.</source>
        <translation>文件留在原处，对话都会保留。</translation>
    </message>
    <message>
        <source>Take it off</source>
        <translation>去掉</translation>
    </message>
    <message>
        <source>Delete {model}?</source>
        <translation>删除 {model}？</translation>
    </message>
    <message>
        <source>It goes to the bin. You get {a} of space back once you empty it. Your chats stay.</source>
        <translation>它会移到回收站。清空回收站后可以腾出 {a} 空间，对话都会保留。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete {model} for good?</source>
        <translation>彻底删除 {model}？</translation>
    </message>
    <message>
        <source>This disk has no bin. You get {a} of space back. Your chats stay.</source>
        <translation>这个磁盘没有回收站。可以腾出 {a} 空间，对话都会保留。</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>彻底删除</translation>
    </message>
    <message>
        <source>This connection may cost money.</source>
        <translation>当前网络可能收费。</translation>
    </message>
    <message>
        <source>Download {a} now?</source>
        <translation>现在下载 {a} 吗？</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂时不要</translation>
    </message>
    <message>
        <source>Cancel {model}?</source>
        <translation>取消 {model}？</translation>
    </message>
    <message>
        <source>{a} of {b} have arrived and would be deleted. To wait, press Pause instead.</source>
        <translation>已下载的 {a}（共 {b}）会被删除。只想等一等的话，请按暂停。</translation>
    </message>
    <message>
        <source>Delete it</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>The makers ask you to accept their licence</source>
        <translation>制作者请您先接受许可证</translation>
    </message>
    <message>
        <source>Open the page of this model, read the licence and accept it there. Then come back and try again.</source>
        <translation>请打开这个模型的网页，阅读并接受许可证，然后回来重试。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Open the page…</source>
        <translation>打开网页……</translation>
    </message>
    <message>
        <source>Get {size}</source>
        <translation>获取 {size}</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Use {name}</source>
        <translation>使用 {name}</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>为什么？</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>正在使用</translation>
    </message>
    <message>
        <source>Why is {name} too slow?</source>
        <translation>{name} 为什么太慢？</translation>
    </message>
    <message>
        <source>Why is {name} too big?</source>
        <translation>为什么放不下 {name}？</translation>
    </message>
    <message>
        <source>More for {name}</source>
        <translation>{name} 的更多操作</translation>
    </message>
    <message>
        <source>Nobody can tell whether {model} has a newer version.</source>
        <translation>无法得知 {model} 有没有新版本。</translation>
    </message>
    <message>
        <source>There is a newer version of {model}.</source>
        <translation>{model} 有新版本。</translation>
    </message>
    <message>
        <source>{model} is up to date.</source>
        <translation>{model} 已是最新版本。</translation>
    </message>
    <message>
        <source>Where should the folder be made?</source>
        <translation>文件夹建在哪里？</translation>
    </message>
    <message>
        <source>{model} is in the folder “{folder}”.</source>
        <translation>{model} 已放进文件夹“{folder}”。</translation>
    </message>
    <message>
        <source>Where should your models be kept?</source>
        <translation>您的模型放在哪里？</translation>
    </message>
    <message>
        <source>Which file should be added?</source>
        <translation>要添加哪个文件？</translation>
    </message>
    <message>
        <source>Models and packs (*.gguf *.pack);;All files (*)</source>
        <translation>模型和扩展包 (*.gguf *.pack);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Which folder has the models?</source>
        <translation>模型在哪个文件夹里？</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Add from a file…</source>
        <translation>从文件添加……</translation>
    </message>
    <message>
        <source>Looking for your models…</source>
        <translation>正在查找您的模型……</translation>
    </message>
    <message>
        <source>Discover</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Your models</source>
        <translation>您的模型</translation>
    </message>
    <message>
        <source>Models of other programs</source>
        <translation>其他程序的模型</translation>
    </message>
    <message>
        <source>{model} is ready to use.</source>
        <translation>{model} 可以用了。</translation>
    </message>
    <message>
        <source>Show the folder</source>
        <translation>显示文件夹</translation>
    </message>
    <message>
        <source>Move it to another folder…</source>
        <translation>移到别的文件夹……</translation>
    </message>
    <message>
        <source>Your models are kept in {folder}</source>
        <translation>您的模型放在 {folder}</translation>
    </message>
    <message>
        <source>Came with Snug.</source>
        <translation>Snug 自带。</translation>
    </message>
    <message>
        <source>Used from your folder “{folder}”.</source>
        <translation>在您的文件夹“{folder}”中使用。</translation>
    </message>
    <message>
        <source>Found in {program}, used where it is.</source>
        <translation>在 {program} 中找到，留在原处使用。</translation>
    </message>
    <message>
        <source>{size} on the disk.</source>
        <translation>占用磁盘 {size}。</translation>
    </message>
    <message>
        <source>One of its files is missing.</source>
        <translation>缺少一个文件。</translation>
    </message>
    <message>
        <source>{n} of its files are missing.</source>
        <translation>缺少 {n} 个文件。</translation>
    </message>
    <message>
        <source>Its file is not complete.</source>
        <translation>文件不完整。</translation>
    </message>
    <message>
        <source>Its file is damaged.</source>
        <translation>文件已损坏。</translation>
    </message>
    <message>
        <source>It needs a newer Snug.</source>
        <translation>需要更新版本的 Snug。</translation>
    </message>
    <message>
        <source>It is not made for chatting.</source>
        <translation>它不是用来聊天的。</translation>
    </message>
    <message>
        <source>Snug may not read its file.</source>
        <translation>Snug 无权读取它的文件。</translation>
    </message>
    <message>
        <source>Its file was moved or deleted.</source>
        <translation>文件已被移动或删除。</translation>
    </message>
    <message>
        <source>{model} is complete and undamaged.</source>
        <translation>{model} 完整无损。</translation>
    </message>
    <message>
        <source>{model} can be read in full. There is nothing to compare.</source>
        <translation>{model} 可以完整读取，但没有可对照的校验值。</translation>
    </message>
    <message>
        <source>{model} is damaged. Remove it and get it again.</source>
        <translation>{model} 已损坏。请移除后重新获取。</translation>
    </message>
    <message>
        <source>Best for this computer</source>
        <translation>最适合这台电脑</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Get {name}, {size}</source>
        <translation>获取 {name}，{size}</translation>
    </message>
    <message>
        <source>Looking at its files…</source>
        <translation>正在查看它的文件……</translation>
    </message>
    <message>
        <source>{n} million downloads</source>
        <translation>{n} 百万次下载</translation>
    </message>
    <message>
        <source>{n} downloads</source>
        <translation>{n} 次下载</translation>
    </message>
    <message>
        <source>Look closer…</source>
        <translation>仔细看看……</translation>
    </message>
    <message>
        <source>By {owner}. {popularity}.</source>
        <translation>发布者：{owner}。{popularity}。</translation>
    </message>
    <message>
        <source>Its makers want to know who asks.</source>
        <translation>制作者想知道是谁要它。</translation>
    </message>
    <message>
        <source>Look closer at {name}</source>
        <translation>仔细看看 {name}</translation>
    </message>
    <message>
        <source>{model} is too slow for this computer</source>
        <translation>{model} 在这台电脑上太慢</translation>
    </message>
    <message>
        <source>{model} is too big for this computer</source>
        <translation>这台电脑放不下 {model}</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close other programs, or use another computer.</source>
        <translation>请关闭其他程序，或换一台电脑。</translation>
    </message>
    <message>
        <source>{model} fits, and gives good answers here.</source>
        <translation>{model} 放得下，在这台电脑上回答得不错。</translation>
    </message>
    <message>
        <source>Get it all the same, for another computer</source>
        <translation>仍然获取，给别的电脑用</translation>
    </message>
</context>
<context>
    <name>Packs</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止……</translation>
    </message>
    <message>
        <source>Stopped. Nothing was added.</source>
        <translation>已停止，没有添加任何内容。</translation>
    </message>
    <message>
        <source>It does not stop yet. You can close this and go on.</source>
        <translation>它还没有停下来。您可以先关闭这个窗口，继续做别的事。</translation>
    </message>
    <message>
        <source>The file is not there any more.</source>
        <translation>文件已经不在那里了。</translation>
    </message>
    <message>
        <source>The file cannot be read.</source>
        <translation>无法读取这个文件。</translation>
    </message>
    <message>
        <source>This is not a file that Snug can add.</source>
        <translation>Snug 无法添加这种文件。</translation>
    </message>
    <message>
        <source>The end of the file is missing.</source>
        <translation>文件缺少结尾部分。</translation>
    </message>
    <message>
        <source>The file is larger than anything made for Snug.</source>
        <translation>这个文件比任何为 Snug 制作的文件都大。</translation>
    </message>
    <message>
        <source>There is more in the file than there should be.</source>
        <translation>文件里有多余的内容。</translation>
    </message>
    <message>
        <source>The file was put together in an unknown way.</source>
        <translation>文件的组成方式不明。</translation>
    </message>
    <message>
        <source>The list of what is in the file is damaged.</source>
        <translation>文件的内容清单已损坏。</translation>
    </message>
    <message>
        <source>There is far more in it than Snug could use.</source>
        <translation>里面的内容远远超出 Snug 的需要。</translation>
    </message>
    <message>
        <source>The file is locked with a password.</source>
        <translation>文件设有密码。</translation>
    </message>
    <message>
        <source>The file is packed in an unknown way.</source>
        <translation>文件的压缩方式不明。</translation>
    </message>
    <message>
        <source>The file contradicts itself.</source>
        <translation>文件的内容自相矛盾。</translation>
    </message>
    <message>
        <source>Parts of the file lie over each other.</source>
        <translation>文件的几个部分互相重叠。</translation>
    </message>
    <message>
        <source>The file does not say what it is for.</source>
        <translation>文件没有说明用途。</translation>
    </message>
    <message>
        <source>The file says too much about itself.</source>
        <translation>文件的自我说明过长。</translation>
    </message>
    <message>
        <source>Nothing in the file shows that it comes from Snug&apos;s makers.</source>
        <translation>文件里没有任何标记能证明它来自 Snug 的制作者。</translation>
    </message>
    <message>
        <source>The mark of Snug&apos;s makers in the file is damaged.</source>
        <translation>文件里 Snug 制作者的标记已损坏。</translation>
    </message>
    <message>
        <source>The file does not come from Snug&apos;s makers.</source>
        <translation>这个文件不是 Snug 的制作者提供的。</translation>
    </message>
    <message>
        <source>The file was changed after Snug&apos;s makers had made it.</source>
        <translation>Snug 的制作者做好这个文件之后，它被人改动过。</translation>
    </message>
    <message>
        <source>What the file says of itself is damaged.</source>
        <translation>文件的自我说明已损坏。</translation>
    </message>
    <message>
        <source>The file says two different things about itself.</source>
        <translation>文件的自我说明前后不一。</translation>
    </message>
    <message>
        <source>It is for a newer Snug.</source>
        <translation>它需要更新版本的 Snug。</translation>
    </message>
    <message>
        <source>It is for another system than this one.</source>
        <translation>它适用于另一种系统。</translation>
    </message>
    <message>
        <source>It is for computers of another kind.</source>
        <translation>它适用于另一类电脑。</translation>
    </message>
    <message>
        <source>It is for another version of Snug.</source>
        <translation>它适用于另一个版本的 Snug。</translation>
    </message>
    <message>
        <source>It does not go with this version of Snug.</source>
        <translation>它与这个版本的 Snug 不匹配。</translation>
    </message>
    <message>
        <source>Another Snug is adding something just now.</source>
        <translation>另一个 Snug 正在添加内容。</translation>
    </message>
    <message>
        <source>There is not enough space on the disk.</source>
        <translation>磁盘空间不够。</translation>
    </message>
    <message>
        <source>The file wants to write where it has no business.</source>
        <translation>这个文件想写入它不该碰的地方。</translation>
    </message>
    <message>
        <source>A name in the file is not safe.</source>
        <translation>文件里有一个名称不安全。</translation>
    </message>
    <message>
        <source>A name in the file belongs to the system.</source>
        <translation>文件里有一个名称是系统专用的。</translation>
    </message>
    <message>
        <source>A name in the file is too long.</source>
        <translation>文件里有一个名称过长。</translation>
    </message>
    <message>
        <source>Two names in the file get in each other&apos;s way.</source>
        <translation>文件里有两个名称互相冲突。</translation>
    </message>
    <message>
        <source>Something is in the file twice.</source>
        <translation>文件里有重复的内容。</translation>
    </message>
    <message>
        <source>Something in the file leads to another place.</source>
        <translation>文件里有内容指向别的地方。</translation>
    </message>
    <message>
        <source>Something in the file is not what it should be.</source>
        <translation>文件里有内容与应有的不符。</translation>
    </message>
    <message>
        <source>Something was added to the file.</source>
        <translation>文件被人加入了内容。</translation>
    </message>
    <message>
        <source>Something is missing in the file.</source>
        <translation>文件里缺少内容。</translation>
    </message>
    <message>
        <source>A part of the file has the wrong size.</source>
        <translation>文件有一部分大小不对。</translation>
    </message>
    <message>
        <source>A part of the file is larger than it says.</source>
        <translation>文件有一部分比它声明的大。</translation>
    </message>
    <message>
        <source>A part of the file is damaged.</source>
        <translation>文件有一部分已损坏。</translation>
    </message>
    <message>
        <source>A part of the file is not as Snug&apos;s makers made it.</source>
        <translation>文件有一部分与 Snug 制作者提供的不一致。</translation>
    </message>
    <message>
        <source>Snug cannot write into its own folder.</source>
        <translation>Snug 无法写入自己的文件夹。</translation>
    </message>
    <message>
        <source>The file does not hold what it promises.</source>
        <translation>文件里没有它所说的内容。</translation>
    </message>
    <message>
        <source>What is in the file was made for another version of Snug.</source>
        <translation>文件里的内容是为另一个版本的 Snug 制作的。</translation>
    </message>
    <message>
        <source>Another program holds the new files back.</source>
        <translation>另一个程序拦住了新文件。</translation>
    </message>
    <message>
        <source>It could not be started on this computer.</source>
        <translation>它无法在这台电脑上启动。</translation>
    </message>
    <message>
        <source>It stopped when Snug tried it.</source>
        <translation>Snug 试用时，它停止了运行。</translation>
    </message>
    <message>
        <source>It gave no answer when Snug tried it.</source>
        <translation>Snug 试用时，它没有响应。</translation>
    </message>
    <message>
        <source>The driver of the graphics card is too old for it.</source>
        <translation>显卡的驱动程序太旧。</translation>
    </message>
    <message>
        <source>Snug found no graphics card in this computer that it is for.</source>
        <translation>Snug 在这台电脑里没有找到适用的显卡。</translation>
    </message>
    <message>
        <source>It was not added yet.</source>
        <translation>它还没有添加。</translation>
    </message>
    <message>
        <source>There is no earlier one to go back to.</source>
        <translation>没有可以恢复的旧版本。</translation>
    </message>
    <message>
        <source>Look where it is now, and open it again.</source>
        <translation>请看看它现在在哪里，然后重新打开。</translation>
    </message>
    <message>
        <source>Copy it to this computer&apos;s own disk, then open it there.</source>
        <translation>请先把它复制到这台电脑自己的磁盘上，再从那里打开。</translation>
    </message>
    <message>
        <source>It may belong to another program. Nothing needs to be done.</source>
        <translation>它可能属于别的程序，您不用做什么。</translation>
    </message>
    <message>
        <source>Get it again from where you had it.</source>
        <translation>请从原来的地方重新获取。</translation>
    </message>
    <message>
        <source>Use only files from where you got Snug.</source>
        <translation>请只使用与 Snug 同一来源的文件。</translation>
    </message>
    <message>
        <source>Do not use it. Use only files from where you got Snug.</source>
        <translation>请不要使用它。请只使用与 Snug 同一来源的文件。</translation>
    </message>
    <message>
        <source>Install the newer Snug, then open it again.</source>
        <translation>请先安装新版本的 Snug，再重新打开。</translation>
    </message>
    <message>
        <source>Get the one that belongs to this Snug.</source>
        <translation>请获取与这个 Snug 配套的文件。</translation>
    </message>
    <message>
        <source>Open it again when that is done.</source>
        <translation>请等它完成后再重新打开。</translation>
    </message>
    <message>
        <source>Make room, then open it again.</source>
        <translation>请腾出空间，再重新打开。</translation>
    </message>
    <message>
        <source>Check whether the disk is locked or damaged, then open it again.</source>
        <translation>请检查磁盘是否被锁定或损坏，再重新打开。</translation>
    </message>
    <message>
        <source>It may be your security program. Open the file again in a minute.</source>
        <translation>可能是您的安全软件。请过一分钟再打开这个文件。</translation>
    </message>
    <message>
        <source>Install the newest driver of the graphics card, then open the file again.</source>
        <translation>请安装最新的显卡驱动程序，再重新打开这个文件。</translation>
    </message>
    <message>
        <source>Restart the computer, then open the file again.</source>
        <translation>请重新启动电脑，再打开这个文件。</translation>
    </message>
    <message>
        <source>Nothing needs to be done.</source>
        <translation>您不用做什么。</translation>
    </message>
    <message>
        <source>There is not enough space: {a} has to be free, and {b} is. Free {c} more, then open the file again.</source>
        <translation>空间不够：需要 {a} 可用空间，目前有 {b}。请再腾出 {c}，然后重新打开这个文件。</translation>
    </message>
    <message>
        <source>more graphics cards</source>
        <translation>更多显卡</translation>
    </message>
    <message>
        <source>{maker} graphics cards</source>
        <translation>{maker} 显卡</translation>
    </message>
    <message>
        <source>Add support for {cards}?</source>
        <translation>要添加 {cards}支持吗？</translation>
    </message>
    <message>
        <source>Add support for these graphics cards?</source>
        <translation>要添加这些显卡的支持吗？</translation>
    </message>
    <message>
        <source>It takes {a} of space. Snug checked that it comes from Snug&apos;s makers.</source>
        <translation>它会占用 {a} 空间。Snug 已确认它来自 Snug 的制作者。</translation>
    </message>
    <message>
        <source>Together they take {a} of space. Snug checked that they come from Snug&apos;s makers.</source>
        <translation>它们一共占用 {a} 空间。Snug 已确认它们来自 Snug 的制作者。</translation>
    </message>
    <message>
        <source>Support for {cards} is there already.</source>
        <translation>已经有 {cards}支持了。</translation>
    </message>
    <message>
        <source>{file}: {why}</source>
        <translation>{file}：{why}</translation>
    </message>
    <message>
        <source>Snug cannot add {file}</source>
        <translation>Snug 无法添加 {file}</translation>
    </message>
    <message>
        <source>Snug cannot add these files</source>
        <translation>Snug 无法添加这些文件</translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>没有作任何改动。</translation>
    </message>
    <message>
        <source>Adding support for {cards}…</source>
        <translation>正在添加 {cards}支持……</translation>
    </message>
    <message>
        <source>Trying it out. This can take a minute.</source>
        <translation>正在试用，可能要一分钟。</translation>
    </message>
    <message>
        <source>Copying and checking… {n}%</source>
        <translation>正在复制和检查…… {n}%</translation>
    </message>
    <message>
        <source>Some of it was added.</source>
        <translation>添加了其中一部分。</translation>
    </message>
    <message>
        <source>Support for these graphics cards is added.</source>
        <translation>已添加这些显卡的支持。</translation>
    </message>
    <message>
        <source>Support for these graphics cards was not added.</source>
        <translation>没有添加这些显卡的支持。</translation>
    </message>
    <message>
        <source>Support for {cards} was not added.</source>
        <translation>没有添加 {cards}支持。</translation>
    </message>
    <message>
        <source>Support for {cards} is added.</source>
        <translation>已添加 {cards}支持。</translation>
    </message>
    <message>
        <source>It is used the next time Snug starts.</source>
        <translation>下次启动 Snug 时就会用上。</translation>
    </message>
    <message>
        <source>Nothing was changed. Snug works as before.</source>
        <translation>没有作任何改动，Snug 照常工作。</translation>
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
    <name>Purpose</name>
    <message>
        <source>Short answers, on almost any computer.</source>
        <translation>简短的回答，几乎任何电脑都能用。</translation>
    </message>
    <message>
        <source>Quick answers, easy on the battery.</source>
        <translation>回答快，省电。</translation>
    </message>
    <message>
        <source>Everyday writing and questions.</source>
        <translation>日常写作和提问。</translation>
    </message>
    <message>
        <source>Longer, more careful texts.</source>
        <translation>更长、更细致的文字。</translation>
    </message>
    <message>
        <source>Long, careful texts.</source>
        <translation>长而细致的文字。</translation>
    </message>
    <message>
        <source>Hard problems, step by step.</source>
        <translation>一步一步解决难题。</translation>
    </message>
    <message>
        <source>Studying, sums and step-by-step answers.</source>
        <translation>学习、计算和分步解答。</translation>
    </message>
    <message>
        <source>Programs and technical questions.</source>
        <translation>程序和技术问题。</translation>
    </message>
    <message>
        <source>Writing and translating in many languages.</source>
        <translation>用多种语言写作和翻译。</translation>
    </message>
    <message>
        <source>Speaks more than 70 languages.</source>
        <translation>会说 70 多种语言。</translation>
    </message>
    <message>
        <source>Made for pictures too. Snug uses it for text so far.</source>
        <translation>也能处理图片，目前 Snug 只用它处理文字。</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>Match system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>{n}%</source>
        <translation>{n}%</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Also {key} and + or −</source>
        <translation>也可以按 {key} 和 + 或 −</translation>
    </message>
    <message>
        <source>For menus and messages. You can chat in any language.</source>
        <translation>用于菜单和提示。您可以用任何语言聊天。</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>阅读</translation>
    </message>
    <message>
        <source>This takes effect the next time Snug starts.</source>
        <translation>下次启动 Snug 时生效。</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>代理</translation>
    </message>
    <message>
        <source>Another computer through which Snug reaches all others.</source>
        <translation>Snug 通过这台电脑连接其他电脑。</translation>
    </message>
    <message>
        <source>Address of the proxy</source>
        <translation>代理的地址</translation>
    </message>
    <message>
        <source>Name, if it wants one</source>
        <translation>用户名（如果需要）</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Forget name and password</source>
        <translation>忘记用户名和密码</translation>
    </message>
    <message>
        <source>Certificates</source>
        <translation>证书</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>选择文件……</translation>
    </message>
    <message>
        <source>Choose a file with certificates…</source>
        <translation>选择证书文件……</translation>
    </message>
    <message>
        <source>Use none</source>
        <translation>不使用</translation>
    </message>
    <message>
        <source>Use no file with certificates</source>
        <translation>不使用证书文件</translation>
    </message>
    <message>
        <source>Which file has the certificates?</source>
        <translation>证书在哪个文件里？</translation>
    </message>
    <message>
        <source>Certificates (*.pem *.crt *.cer);;All files (*)</source>
        <translation>证书 (*.pem *.crt *.cer);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Snug trusts what this computer trusts. Some offices want a file of their own too.</source>
        <translation>Snug 信任这台电脑信任的证书。有些单位还要求用自己的证书文件。</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Models and downloads</source>
        <translation>模型和下载</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
    <message>
        <source>About Snug</source>
        <translation>关于 Snug</translation>
    </message>
    <message>
        <source>Back to chats</source>
        <translation>返回对话</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Saved as “{name}”</source>
        <translation>已存为“{name}”</translation>
    </message>
    <message>
        <source>Everything happens on this computer. Snug connects to another one only when you ask: to find or download a model, to look for a newer one, or to have a question answered there. It sends no statistics and no reports, does not look for updates of itself, and connects to nothing before you ask.</source>
        <translation>一切都在这台电脑上进行。只有在您要求时，Snug 才会连接别的电脑：查找或下载模型、查看模型有没有新版本，或者在那里回答问题。它不发送统计数据和报告，不检查自身的更新，在您要求之前不连接任何地方。</translation>
    </message>
    <message>
        <source>Snug has not connected to anything.</source>
        <translation>Snug 没有连接过任何地方。</translation>
    </message>
    <message>
        <source>The file that you save has older ones too.</source>
        <translation>保存的文件里还有更早的记录。</translation>
    </message>
    <message>
        <source>Every connection Snug has made</source>
        <translation>Snug 的所有连接</translation>
    </message>
    <message>
        <source>Save as file…</source>
        <translation>存为文件……</translation>
    </message>
    <message>
        <source>Where should the list be saved?</source>
        <translation>列表存到哪里？</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>Connections of Snug</source>
        <translation>Snug 的连接记录</translation>
    </message>
    <message>
        <source>Moving your models… {n}%</source>
        <translation>正在移动您的模型…… {n}%</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>在这台电脑上</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Move…</source>
        <translation>移动……</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Move your models…</source>
        <translation>移动您的模型……</translation>
    </message>
    <message>
        <source>Stop moving your models</source>
        <translation>停止移动您的模型</translation>
    </message>
    <message>
        <source>Where your models are kept</source>
        <translation>您的模型放在哪里</translation>
    </message>
    <message>
        <source>Use models of other programs</source>
        <translation>使用其他程序的模型</translation>
    </message>
    <message>
        <source>Those of Ollama, LM Studio, Jan, GPT4All and Hugging Face. Snug never changes or copies them.</source>
        <translation>Ollama、LM Studio、Jan、GPT4All 和 Hugging Face 的模型。Snug 从不改动或复制它们。</translation>
    </message>
    <message>
        <source>Where models come from</source>
        <translation>模型从哪里来</translation>
    </message>
    <message>
        <source>The website that Snug searches and downloads from.</source>
        <translation>Snug 搜索和下载模型的网站。</translation>
    </message>
    <message>
        <source>Address of the website</source>
        <translation>网站地址</translation>
    </message>
    <message>
        <source>Enter a key…</source>
        <translation>输入密钥……</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>忘记</translation>
    </message>
    <message>
        <source>Forget the key</source>
        <translation>忘记密钥</translation>
    </message>
    <message>
        <source>Access key</source>
        <translation>访问密钥</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Download speed</source>
        <translation>下载速度</translation>
    </message>
    <message>
        <source>A limit leaves room for others who share the connection.</source>
        <translation>限制速度可以给共用网络的人留出余地。</translation>
    </message>
    <message>
        <source>Enter another…</source>
        <translation>输入另一个……</translation>
    </message>
    <message>
        <source>Another address…</source>
        <translation>其他地址……</translation>
    </message>
    <message>
        <source>As this computer is set</source>
        <translation>按这台电脑的设置</translation>
    </message>
    <message>
        <source>No proxy</source>
        <translation>不使用代理</translation>
    </message>
    <message>
        <source>This proxy…</source>
        <translation>使用这个代理……</translation>
    </message>
    <message>
        <source>As fast as possible</source>
        <translation>尽可能快</translation>
    </message>
    <message>
        <source>{n} KB a second</source>
        <translation>每秒 {n} KB</translation>
    </message>
    <message>
        <source>{n} MB a second</source>
        <translation>每秒 {n} MB</translation>
    </message>
    <message>
        <source>Looking for a key…</source>
        <translation>正在查找密钥……</translation>
    </message>
    <message>
        <source>Some models want one. Snug has none for {host}.</source>
        <translation>有些模型需要密钥。Snug 没有 {host} 的密钥。</translation>
    </message>
    <message>
        <source>Snug has a key for {host}.</source>
        <translation>Snug 有 {host} 的密钥。</translation>
    </message>
    <message>
        <source>The key for {host} is kept in this computer’s keychain.</source>
        <translation>{host} 的密钥保存在这台电脑的钥匙串里。</translation>
    </message>
    <message>
        <source>The key for {host} is kept only until Snug closes. No keychain could be used.</source>
        <translation>{host} 的密钥只保留到 Snug 关闭为止，因为没有可用的钥匙串。</translation>
    </message>
    <message>
        <source>Snug has a name and a password for it.</source>
        <translation>Snug 有它的用户名和密码。</translation>
    </message>
    <message>
        <source>Name and password are kept in this computer’s keychain.</source>
        <translation>用户名和密码保存在这台电脑的钥匙串里。</translation>
    </message>
    <message>
        <source>Name and password are kept only until Snug closes. No keychain could be used.</source>
        <translation>用户名和密码只保留到 Snug 关闭为止，因为没有可用的钥匙串。</translation>
    </message>
    <message>
        <source>Snug no longer uses it, but the keychain did not confirm that it is gone.</source>
        <translation>Snug 不再使用它，但钥匙串没有确认已经删除。</translation>
    </message>
    <message>
        <source>This address cannot be used. Write it as in https://name.example.</source>
        <translation>这个地址不能用。请写成 https://name.example 这样。</translation>
    </message>
    <message>
        <source>This address cannot be used. Write it as in http://name:8080, without name and password, which have their own fields.</source>
        <translation>这个地址不能用。请写成 http://name:8080 这样，不要带用户名和密码，它们有单独的输入框。</translation>
    </message>
    <message>
        <source>This can be no key. A key has letters, digits and signs only.</source>
        <translation>这不可能是密钥。密钥只有字母、数字和符号。</translation>
    </message>
    <message>
        <source>Snug finds no certificates in this file. What was trusted before still is.</source>
        <translation>Snug 在这个文件里没有找到证书。之前信任的仍然有效。</translation>
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
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Back to the chat</source>
        <translation>返回对话</translation>
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
        <source>Downloading a model. Nothing you type is sent.</source>
        <translation>正在下载模型，您输入的内容不会外传。</translation>
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
    <name>Time</name>
    <message>
        <source>less than a minute</source>
        <translation>不到一分钟</translation>
    </message>
    <message>
        <source>about a minute</source>
        <translation>大约一分钟</translation>
    </message>
    <message>
        <source>about {n} minutes</source>
        <translation>大约 {n} 分钟</translation>
    </message>
    <message>
        <source>about {n} hours</source>
        <translation>大约 {n} 小时</translation>
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
    <name>Token</name>
    <message>
        <source>This model needs an access key</source>
        <translation>这个模型需要访问密钥</translation>
    </message>
    <message>
        <source>The website does not accept the key that Snug has.</source>
        <translation>网站不接受 Snug 现有的密钥。</translation>
    </message>
    <message>
        <source>Its makers want to know who asks. On the website, make an access token that may read, copy it, and put it in here.</source>
        <translation>制作者想知道是谁要它。请在网站上新建一个有读取权限的访问令牌，复制后粘贴到这里。</translation>
    </message>
    <message>
        <source>Where to get it…</source>
        <translation>在哪里获取……</translation>
    </message>
    <message>
        <source>Access key</source>
        <translation>访问密钥</translation>
    </message>
    <message>
        <source>Snug keeps it in this computer&apos;s keychain, if there is one.</source>
        <translation>如果这台电脑有钥匙串，Snug 会把它保存在那里。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>The key is kept in this computer&apos;s keychain.</source>
        <translation>密钥保存在这台电脑的钥匙串里。</translation>
    </message>
    <message>
        <source>The key is kept only until Snug closes.</source>
        <translation>密钥只保留到 Snug 关闭为止。</translation>
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
<context>
    <name>Work</name>
    <message>
        <source>Looking at what is there…</source>
        <translation>正在查看有什么……</translation>
    </message>
    <message>
        <source>Copying and checking…</source>
        <translation>正在复制和检查……</translation>
    </message>
    <message>
        <source>Checking every part of the file…</source>
        <translation>正在检查文件的每一部分……</translation>
    </message>
    <message>
        <source>Copying it to take along…</source>
        <translation>正在复制，以便带走……</translation>
    </message>
    <message>
        <source>Moving your models…</source>
        <translation>正在移动您的模型……</translation>
    </message>
    <message>
        <source>Asking for a newer version…</source>
        <translation>正在询问有没有新版本……</translation>
    </message>
</context>
</TS>
