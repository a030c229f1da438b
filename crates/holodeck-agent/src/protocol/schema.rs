//! The protocol as a JSON Schema (draft-07).

use serde_json::{Value, json};

use super::VERSION;

/// Every message of the protocol, both ways.
pub fn schema() -> Value {
    let version = json!({"description": "The protocol's version.", "const": VERSION});
    let session = json!({"description": "The conversation: a UUID of its own for each.", "type": "string", "format": "uuid"});
    let id = json!({"description": "Number of the turn's message, counted up in a session. The reply repeats it.", "type": "integer", "minimum": 1});
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "AgentProtocol",
        "description": "A message between holodeck and an agent of your own. Keys that are not named here are to be ignored.",
        "anyOf": [
            {"$ref": "#/definitions/Turn"},
            {"$ref": "#/definitions/Cancel"},
            {"$ref": "#/definitions/Close"},
            {"$ref": "#/definitions/Reply"},
        ],
        "definitions": {
            "Turn": {
                "description": "To the agent: one turn. Answered by a reply.",
                "type": "object",
                "properties": {
                    "holodeck_agent": version,
                    "type": {"const": "turn"},
                    "id": id,
                    "session": session,
                    "test_case": {"description": "The test case's name, else `test_cases[i]`.", "type": "string"},
                    "turn_index": {"description": "Position in the test case, from 0. The reply repeats it.", "type": "integer", "minimum": 0},
                    "input": {"description": "What is said.", "type": "string"},
                    "files": {"description": "Files that go with this turn only.", "type": "array", "items": {"$ref": "#/definitions/File"}},
                },
                "required": ["holodeck_agent", "type", "id", "session", "test_case", "turn_index", "input", "files"],
            },
            "File": {
                "description": "A file of a turn, as the test case describes it. It is not read by holodeck.",
                "type": "object",
                "properties": {
                    "path": {"description": "Full path of a local file.", "type": "string"},
                    "url": {"description": "Its address, where it is no local file.", "type": "string"},
                    "type": {"enum": ["image", "pdf", "text", "excel", "word", "powerpoint", "csv"]},
                    "mime": {"description": "The usual media type of its ending.", "type": "string"},
                    "description": {"type": "string"},
                    "pages": {"description": "Pages to read, from 1.", "type": "array", "items": {"type": "integer", "minimum": 1}},
                    "sheet": {"type": "string"},
                    "range": {"type": "string"},
                },
                "required": ["type"],
                "oneOf": [{"required": ["path"]}, {"required": ["url"]}],
            },
            "Cancel": {
                "description": "To the agent: the turn's time is up. Acknowledged within 5 s by a reply to the turn, whatever it says; over HTTP by any 2xx.",
                "type": "object",
                "properties": {"holodeck_agent": version, "type": {"const": "cancel"}, "id": id, "session": session},
                "required": ["holodeck_agent", "type", "id", "session"],
            },
            "Close": {
                "description": "To the agent: the conversation is over. Not answered; a program ends within 5 s.",
                "type": "object",
                "properties": {"holodeck_agent": version, "type": {"const": "close"}, "session": session},
                "required": ["holodeck_agent", "type", "session"],
            },
            "Reply": {
                "description": "From the agent: the answer to a turn, or what went wrong; what came before that may stand beside it.",
                "type": "object",
                "properties": {
                    "id": id,
                    "turn_index": {"type": "integer", "minimum": 0},
                    "response": {"description": "The answer; may be empty.", "type": ["string", "null"]},
                    "tool_calls": {"description": "The tools it called, in order.", "type": ["array", "null"], "items": {"$ref": "#/definitions/ToolCall"}},
                    "usage": {"anyOf": [{"$ref": "#/definitions/Usage"}, {"type": "null"}]},
                    "error": {"anyOf": [{"$ref": "#/definitions/Error"}, {"type": "null"}]},
                },
                "required": ["id", "turn_index"],
                "anyOf": [
                    {"properties": {"response": {"type": "string"}}, "required": ["response"]},
                    {"properties": {"error": {"type": "object"}}, "required": ["error"]},
                ],
            },
            "ToolCall": {
                "type": "object",
                "properties": {
                    "name": {"description": "The tool's name, as `expected_tools` names it.", "type": "string", "minLength": 1},
                    "args": {"description": "Its arguments, an object as a rule; every number is kept as it is written."},
                    "result": {"description": "What it gave back."},
                    "error": {"description": "Why it failed.", "type": ["string", "null"]},
                    "duration_ms": {"type": ["number", "null"], "minimum": 0},
                },
                "required": ["name"],
            },
            "Usage": {
                "description": "Tokens of the turn.",
                "type": "object",
                "properties": {
                    "prompt_tokens": {"type": "integer", "minimum": 0},
                    "completion_tokens": {"type": "integer", "minimum": 0},
                    "total_tokens": {"description": "In all, at least the sum of the two.", "type": ["integer", "null"], "minimum": 0},
                    "cache_creation_tokens": {"type": ["integer", "null"], "minimum": 0},
                    "cache_read_tokens": {"type": ["integer", "null"], "minimum": 0},
                },
                "required": ["prompt_tokens", "completion_tokens"],
            },
            "Error": {
                "type": "object",
                "properties": {
                    "message": {"description": "What went wrong.", "type": "string"},
                    "fatal": {"description": "The conversation can't go on: its remaining turns are skipped.", "type": ["boolean", "null"]},
                },
                "required": ["message"],
            },
        },
    })
}
