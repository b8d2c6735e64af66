"""Colors for descriptions (.uma) and MLIR in the pages of the site; utils/build-site.py registers them."""

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

__all__ = ["DescriptionLexer", "MLIRLexer"]

STATEMENTS = ("accelerator", "include", "model", "link", "pass", "script", "layout", "transfer", "region", "pattern", "instruction", "strategy",
              "plevel", "attribute", "memory", "engine", "tokens", "keep_off", "pin", "merge_compiler_regions", "layers", "init", "await",
              "launch", "prologue", "epilogue", "replace", "version", "constant", "require", "call", "code", "lower", "place", "in", "split",
              "tile", "by", "scratch", "configure", "return", "cost", "optional", "as", "on", "const", "wait", "push", "pop", "begin", "failed")
TYPES = ("f16", "bf16", "f32", "f64", "i1", "i8", "u8", "i16", "i32", "i64")


class DescriptionLexer(RegexLexer):
    name, aliases = "uma", ["uma"]
    tokens = {"root": [
        (r"#.*$", Comment.Single),
        (r'"(?:[^"\\]|\\.)*"', String),
        (words(STATEMENTS, prefix=r"\b", suffix=r"\b"), Keyword),
        (words(TYPES, prefix=r"\b", suffix=r"\b"), Keyword.Type),
        (r"[A-Za-z_]\w*(?=\()", Name.Function),
        (r"\d+(?:\.\d+)?", Number),
        (r"[A-Za-z_]\w*", Name),
        (r"[-+*/%=<>!&|]+", Operator),
        (r"[\[\](){},;:.]+", Punctuation),
        (r"\s+|.", Text),
    ]}


class MLIRLexer(RegexLexer):
    name, aliases = "mlir", ["mlir"]
    tokens = {"root": [
        (r"//.*$", Comment.Single),
        (r'"(?:[^"\\]|\\.)*"', String),
        (r"[%@^][\w$.-]+", Name.Variable),
        (r"[!#][\w.]+", Keyword.Type),
        (r"\b(?:tensor|memref|vector)(?=<)|\b(?:f|bf|i|si|ui)\d+\b|\bindex\b", Keyword.Type),
        (r"\b[a-z_]\w*(?:\.\w+)+", Name.Function),
        (r"\b\d+(?:\.\d+)?(?:e[-+]?\d+)?", Number),
        (r"[A-Za-z_]\w*", Name),
        (r"\s+|.", Text),
    ]}
