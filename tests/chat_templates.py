"""Short forms of the chat templates that model files carry, one for each habit met in the wild."""

CHATML_WITH_DEFAULT_SYSTEM = (
    "{% for message in messages %}"
    "{% if loop.first and messages[0]['role'] != 'system' %}"
    "{{ '<|im_start|>system\nBe helpful.<|im_end|>\n' }}{% endif %}"
    "{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)

GEMMA = """{{ bos_token }}
{%- if messages[0]['role'] == 'system' %}{{ raise_exception('No system role') }}{% endif %}
{% for message in messages %}
{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
{{ raise_exception('Roles must go user/assistant/user/assistant') }}
{% endif %}
{% set role = 'model' if message['role'] == 'assistant' else message['role'] %}
{{ '<start_of_turn>' + role + '\n' + message['content'] | trim + '<end_of_turn>\n' }}
{%- endfor %}
{% if add_generation_prompt %}{{ '<start_of_turn>model\n' }}{% endif %}"""

LLAMA_3 = """{{- bos_token }}
{%- set date_string = strftime_now('%d %b %Y') if strftime_now is defined else '26 Jul 2024' %}
{%- set ns = namespace(system='', first=0) %}
{%- if messages[0].role == 'system' %}
    {%- set ns.system = messages[0].content | trim %}
    {%- set ns.first = 1 %}
{%- endif %}
{{- '<|start_header_id|>system<|end_header_id|>\n\nToday: ' ~ date_string ~ '\n\n' }}
{{- ns.system + '<|eot_id|>' }}
{%- for message in messages[ns.first:] %}
    {%- if message.role not in ['user', 'assistant'] %}
        {{- raise_exception('System message must be at the beginning') }}
    {%- endif %}
    {{- '<|start_header_id|>' + message.role + '<|end_header_id|>\n\n' }}
    {{- message.content | trim + '<|eot_id|>' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\n\n' }}
{%- endif %}"""

MISTRAL = """{%- if messages[0]["role"] == "system" %}
    {%- set system_message = messages[0]["content"] %}
    {%- set loop_messages = messages[1:] %}
{%- else %}
    {%- set loop_messages = messages %}
{%- endif %}
{%- set ns = namespace(index=0) %}
{%- for message in loop_messages %}
    {%- if not (message.role in ("user", "assistant") and not message.tool_calls) or
          (message.role == "user") != (ns.index % 2 == 0) %}
        {{- raise_exception("Conversation roles must alternate user/assistant/user/...") }}
    {%- endif %}
    {%- set ns.index = ns.index + 1 %}
{%- endfor %}
{{- bos_token }}
{%- for message in loop_messages %}
    {%- if message["role"] == "user" %}
        {%- if loop.last and system_message is defined %}
            {{- "[INST] " + system_message + "\\n\\n" + message["content"] + "[/INST]" }}
        {%- else %}
            {{- "[INST] " + message["content"] + "[/INST]" }}
        {%- endif %}
    {%- else %}
        {{- " " + message["content"]|trim + eos_token }}
    {%- endif %}
{%- endfor %}"""

QWEN_3 = """{%- if tools %}{{- tools | tojson }}{%- endif %}
{%- set ns = namespace(last=messages|length - 1, searching=true) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.searching and message.role == 'user' and message.content is string and
          not(message.content.startswith('<tool_response>')) %}
        {%- set ns.searching = false %}
        {%- set ns.last = index %}
    {%- endif %}
{%- endfor %}
{%- if ns.searching %}{{- raise_exception('No user query found in messages.') }}{%- endif %}
{%- for message in messages %}
    {%- if message.role == 'assistant' %}
        {%- set content = message.content %}
        {%- if message.reasoning_content is string %}
            {%- set content = message.reasoning_content %}
        {%- elif '</think>' in content %}
            {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
        {%- endif %}
        {{- '<|im_start|>assistant\\n' + content + '<|im_end|>\\n' }}
    {%- else %}
        {%- if message.role == 'system' and not loop.first %}
            {{- raise_exception('System message must be at the beginning.') }}
        {%- endif %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\\n\\n</think>\\n\\n' }}
    {%- endif %}
{%- endif %}"""

GENERATION_TAG = """{% for message in messages %}
{% if message.role == 'assistant' %}
<|assistant|>{% generation %}{{ message.content }}{{ eos_token }}{% endgeneration %}

{% else %}
<|{{ message.role }}|>{{ message.content }}
{% endif %}
{% endfor %}
{% if add_generation_prompt %}<|assistant|>{% endif %}"""

LOOP_CONTROLS = """{% for message in messages %}
{% if message.role == 'tool' %}{% continue %}{% endif %}
{% for candidate in ['system', 'user', 'assistant', 'other'] %}
{% if candidate == message.role %}[{{ candidate }}]{% break %}{% endif %}
{% endfor %}
{{ message.content }}
{% endfor %}"""

MACROS = """{% macro header(role, extra='') -%}<<{{ role | upper }}{{ extra }}>>{%- endmacro %}
{% macro turn(message) %}{{ header(message.role) }}{{ caller() }}{% endmacro %}
{% for message in messages %}
{% call turn(message) %}{{ message.content | replace('\r', '') }}{% endcall %}

{% endfor %}
{{ header(role='assistant') }}"""

JSON_TURNS = """{% for message in messages %}
{{ {'role': message.role, 'text': message.content} | tojson(indent=none) }}
{% endfor %}
{{ unknown_name }}{{ date_string if date_string is defined }}{{ messages[0].missing }}
{{ ['assistant', '>'] | join(' ') }}"""

CONTENT_PARTS = """{% for message in messages %}<|im_start|>{{ message['role'] }}
{% for part in message['content'] %}
{% if part['type'] == 'image' %}<image>{% endif %}
{% if part['type'] == 'text' %}{{ part['text'] }}{% endif %}
{% endfor %}<|im_end|>
{% endfor %}<|im_start|>assistant
"""

STRICT = """{% for message in messages %}
{% if message.role == 'system' %}{{ raise_exception('no system') }}{% endif %}
{% if (message.role == 'user') != (loop.index0 % 2 == 0) %}
{{ raise_exception('alternate!') }}{% endif %}
{% if loop.last and message.role != 'user' %}{{ raise_exception('nothing to answer') }}{% endif %}
{% if not message.content %}{{ raise_exception('empty') }}{% endif %}
{{ message.role }}: {{ message.content }}
{% endfor %}
{{ raise_exception('no messages') if not messages }}"""
"""Every demand at once, except that it takes an empty turn of the person's own for an error."""

TEMPLATES = {name.lower(): source for name, source in list(globals().items()) if name.isupper()}
