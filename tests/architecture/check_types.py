#!/usr/bin/env python3
"""Every type of the library has one definition: two types of one name in one namespace are undefined behaviour as soon
as two files that know one each are linked, and an error of the compiler in the first file that knows both.

    check_types.py [ROOT]       checks the repository (default: the one that holds this file)
    check_types.py --self-test  checks the checker

Types in a namespace without a name belong to their file and are free; so are types inside other types and functions.
"""
import re
import sys
import tempfile
from pathlib import Path

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<d>[^(\s]*)\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:\\\n|[^\n])*'
    r'|[A-Za-z_]\w*|::|[{}();<>=,:\[\]]', re.S | re.M)
SKIPPED = ("//", "/*", '"', "'", "R\"", "#")


def tokens_of(text):
    for match in TOKEN.finditer(text):
        token = match[0].lstrip()
        if not token.startswith(SKIPPED):
            yield token, text.count("\n", 0, match.start()) + 1


def defined_name(statement):
    """The type that `statement`, which is followed by an opening brace, defines; None if it is no type."""
    words = list(statement)
    if words[:1] == ["template"]:  # without its parameters
        depth, i = 0, 1
        for i in range(1, len(words)):
            depth += {"<": 1, ">": -1}.get(words[i], 0)
            if depth == 0:
                break
        words = words[i + 1:]
        if "<" in words[:words.index(":") if ":" in words else len(words)]:
            return None  # a specialisation has its arguments for a name
    if words[:1] == ["enum"] and words[1:2] in (["class"], ["struct"]):
        words = words[1:]
    if words[:1] not in (["struct"], ["class"], ["enum"], ["union"]) or "(" in words or "=" in words:
        return None
    names = []
    for word in words[1:]:
        if word in (":", "final", "<"):
            break
        names.append(word)
    return "".join(names) or None


def types_of(text):
    """(qualified name, line) of every type defined in a namespace that has a name."""
    scopes, statement = [], []
    for token, line in tokens_of(text):
        if token == "{":
            if statement[:1] == ["namespace"] or statement[:2] == ["inline", "namespace"]:
                name = "".join(statement[statement.index("namespace") + 1:])
                scopes.append(name or None)
            else:
                name = defined_name(statement)
                if name and all(scope for scope in scopes):
                    yield "::".join([*scopes, name]), line
                scopes.append(None)  # nothing inside is looked at
            statement = []
        elif token == "}":
            if scopes:
                scopes.pop()
            statement = []
        elif token == ";":
            statement = []
        else:
            statement.append(token)


def check(root):
    places = {}
    for folder in ("include", "src"):
        for file in sorted((root / folder).rglob("*.[hc]pp")):
            for name, line in types_of(file.read_text(encoding="utf-8")):
                places.setdefault(name, []).append(f"{file.relative_to(root)}:{line}")
    if not places:
        yield "no type was found: the checker does not understand the sources"
    for name, found in places.items():
        if len(found) > 1:
            yield f"{name} is defined {len(found)} times: {', '.join(found)}"


def self_test():
    cases = [
        ("namespace a {\nstruct S {\n int i; struct T {}; };\nenum class E { x };\n}", ["a::S", "a::E"]),
        ("namespace a {\nnamespace {\nstruct S {};\n}\nclass C final : public B<int> {};\n}", ["a::C"]),
        ("namespace a::b {\nstruct S;\nvoid f(const S& s) { struct L {}; }\nstruct S f2() { return {}; }\n}", []),
        ('namespace a {\n// struct A {\nconst char* s = "struct B {";\n#define X struct C {\nunion U {};\n}', ["a::U"]),
        ("namespace a {\ntemplate <class T, class U>\nstruct P {};\ntemplate <>\nstruct P<int, int> {};\n}", ["a::P"]),
        ("namespace a {\nstruct A::Inner {};\nauto x = R\"({)\";\nstruct Z {};\n}", ["a::A::Inner", "a::Z"]),
        ("namespace a {\nEnum e{};\nconst char c = '{';\nstruct Y {};\n}", ["a::Y"]),
    ]
    for text, expected in cases:
        found = [name for name, _ in types_of(text)]
        if found != expected:
            print(f"self-test: expected {expected}, found {found} in:\n{text}")
            return 1
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for place in ("include/maggi/a.hpp", "src/b/b.cpp"):
            (root / place).parent.mkdir(parents=True)
            (root / place).write_text("namespace maggi {\nstruct Twice {};\n}\n", encoding="utf-8")
        found = list(check(root))
        if found != ["maggi::Twice is defined 2 times: include/maggi/a.hpp:2, src/b/b.cpp:2"]:
            print(f"self-test: a type that is defined twice gives {found}")
            return 1
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    faults = list(check(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2])))
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
