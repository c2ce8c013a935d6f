"""Just enough of a C++ lexer for the laws: comments, literals, includes, functions, enumerators.

No parsing: files are split by regular expressions and braces are counted. That is exact for the
formatted code of this project, which the formatting law enforces.
"""

import re

_COMMENT_OR_LITERAL = re.compile(
    r"""
      (?P<comment> //(?:\\\n|[^\n])* | /\*.*?\*/ )
    | (?P<raw> R"(?P<delimiter>[^()\\\s]{0,16})\((?P<raw_text>.*?)\)(?P=delimiter)" )
    | (?P<string> "(?P<text>(?:\\.|[^"\\\n])*)" )
    | (?P<character> (?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*' )
    """,
    re.VERBOSE | re.DOTALL,
)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
_ENUM = re.compile(r"\benum\b[^;{(]*\{([^}]*)\}")
_LAMBDA_HEAD = re.compile(r"\]\s*(\([^{}]*\))?\s*(mutable|noexcept|->[\w:<>,\s*&]+|\s)*$")
_TYPE_HEAD = re.compile(r"(^|\s)(class|struct|union|enum)\b")


def _blank(text):
    """As many lines and columns, nothing else."""
    return re.sub(r"[^\n]", " ", text)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def includes(text):
    """Yields (line, "<" or '"', path). Includes in comments do not count."""
    for match in _INCLUDE.finditer(_without_comments(text)):
        yield line_of(text, match.start()), match.group(1), match.group(2)


def _without_comments(text):
    return _COMMENT_OR_LITERAL.sub(
        lambda m: _blank(m.group()) if m.group("comment") else m.group(), text
    )


def without_comments_and_literals(text):
    """The same text with every comment and literal blanked, so that offsets stay."""
    return _COMMENT_OR_LITERAL.sub(lambda m: _blank(m.group()), text)


def string_literals(text):
    """Yields (line, contents) of each string literal, those of #include left out."""
    include_lines = {line for line, _, _ in includes(text)}
    for match in _COMMENT_OR_LITERAL.finditer(text):
        contents = match.group("text") if match.group("string") else match.group("raw_text")
        if contents is not None:
            line = line_of(text, match.start())
            if line not in include_lines:
                yield line, contents


def enumerators(text):
    """Yields (line, name) of each enumerator."""
    code = without_comments_and_literals(text)
    for match in _ENUM.finditer(code):
        offset = match.start(1)
        for item in match.group(1).split(","):
            name = re.match(r"\s*(\w+)", item)
            if name:
                yield line_of(code, offset + name.start(1)), name.group(1)
            offset += len(item) + 1


def _scope_kind(head, inside):
    """What a brace opens, from the text before it and the kind of scope around it."""
    if inside == "function":
        return "block"
    if inside == "block":
        return "block"
    if _LAMBDA_HEAD.search(head) and "[" in head:
        return "function"
    if inside != "declarations":
        return "values"
    stripped = re.sub(r"template\s*<[^{}]*>\s*(?=class|struct|union)", "", head)
    if re.search(r"\bnamespace\b|extern\s*$", stripped):
        return "declarations"
    if _TYPE_HEAD.search(stripped) and "(" not in stripped.split("{")[0]:
        return "values" if "enum" in stripped else "declarations"
    if "(" in head and "=" not in re.sub(r"[=!<>]=|operator\S*", "", head.split("(")[0]):
        return "function"
    return "values"


def functions(text):
    """Yields (first line, last line, head) of each outermost function body or namespace lambda.

    A function starts where its declaration does, template line included, and ends at its brace.
    """
    code = _DIRECTIVE.sub(lambda m: _blank(m.group()), without_comments_and_literals(text))
    stack = []  # (kind, start of head) of each open brace
    head_start = 0
    for match in re.finditer(r"[{};]", code):
        position = match.start()
        inside = stack[-1][0] if stack else "declarations"
        if match.group() == "{":
            head = code[head_start:position]
            start = head_start + len(head) - len(head.lstrip())
            stack.append((_scope_kind(head, inside), start))
        elif match.group() == "}" and stack:
            kind, start = stack.pop()
            if kind == "function":
                name = " ".join(code[start:position].split("{")[0].split())
                yield line_of(code, start), line_of(code, position), name
        head_start = position + 1
