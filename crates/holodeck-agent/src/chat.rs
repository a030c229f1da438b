//! Chat Completions, as OpenAI, Azure OpenAI, Ollama and many other servers speak it.

mod reply;

use std::sync::atomic::{AtomicBool, Ordering};

use crate::conversation::{CallResult, ModelReply, Sampling, Wire};
use crate::http::{BadRequest, Trouble};
use crate::lenient::quoted;
use crate::tools::ToolSpec;

/// The wire.
#[derive(Debug)]
pub(crate) struct Chat {
    model: String,
    /// The system message, if there is one.
    system: Option<String>,
    sampling: Sampling,
    /// Newer models want `max_completion_tokens` in place of `max_tokens`; found out by their refusal.
    max_is_renamed: AtomicBool,
    /// Found out likewise.
    takes_no_temperature: AtomicBool,
}

impl Chat {
    pub(crate) fn new(model: &str, instructions: Option<&str>, sampling: Sampling) -> Self {
        let instructions = instructions.filter(|text| !text.is_empty());
        Self {
            model: quoted(model),
            system: instructions.map(|text| message("system", text)),
            sampling,
            max_is_renamed: AtomicBool::new(false),
            takes_no_temperature: AtomicBool::new(false),
        }
    }

    fn settings(&self) -> String {
        let Sampling {
            temperature,
            max_tokens,
            top_p,
            response_format,
            ..
        } = &self.sampling;
        let max = if self.max_is_renamed.load(Ordering::Relaxed) {
            "max_completion_tokens"
        } else {
            "max_tokens"
        };
        let mut out = format!(",\"{max}\":{max_tokens}");
        if !self.takes_no_temperature.load(Ordering::Relaxed) {
            out.extend([",\"temperature\":", temperature.lexeme()]);
        }
        if let Some(top_p) = top_p {
            out.extend([",\"top_p\":", top_p.lexeme()]);
        }
        if let Some(schema) = response_format {
            out += ",\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"response\",\"schema\":";
            out += &schema.to_json();
            out += "}}";
        }
        out
    }
}

impl Wire for Chat {
    fn user(&self, text: &str) -> String {
        message("user", text)
    }

    fn assistant(&self, reply: &ModelReply) -> Option<String> {
        if reply.calls.is_empty() {
            return Some(message("assistant", &reply.text));
        }
        let content = if reply.text.is_empty() {
            "null".to_owned()
        } else {
            quoted(&reply.text)
        };
        let calls = reply.calls.iter().map(|call| {
            let extra = call.extra.as_ref();
            format!(
                "{{\"id\":{},\"type\":\"function\",\"function\":{{\"name\":{},\"arguments\":{}}}{}}}",
                quoted(&call.id),
                quoted(&call.name),
                quoted(call.args_for_history()),
                extra.map_or(String::new(), |raw| format!(",\"extra_content\":{raw}")),
            )
        });
        let calls = calls.collect::<Vec<_>>().join(",");
        Some(format!(
            "{{\"role\":\"assistant\",\"content\":{content},\"tool_calls\":[{calls}]}}"
        ))
    }

    fn results(&self, results: &[CallResult]) -> Vec<String> {
        let result = |result: &CallResult| {
            format!(
                "{{\"role\":\"tool\",\"tool_call_id\":{},\"content\":{}}}",
                quoted(&result.id),
                quoted(&result.text)
            )
        };
        results.iter().map(result).collect()
    }

    fn tools(&self, specs: &[ToolSpec]) -> String {
        if specs.is_empty() {
            return String::new();
        }
        let spec = |spec: &ToolSpec| {
            format!(
                "{{\"type\":\"function\",\"function\":{{\"name\":{},\"description\":{},\"parameters\":{}}}}}",
                quoted(&spec.name),
                quoted(&spec.description),
                spec.parameters
            )
        };
        let specs = specs.iter().map(spec).collect::<Vec<_>>().join(",");
        format!(",\"tools\":[{specs}]")
    }

    fn request(&self, history: &[String], tools: &str) -> Vec<u8> {
        let settings = self.settings();
        let messages: usize = history.iter().map(|m| m.len() + 1).sum();
        let system = self.system.as_deref().unwrap_or_default();
        let mut out = String::with_capacity(
            messages + system.len() + settings.len() + tools.len() + self.model.len() + 64,
        );
        out.push_str("{\"model\":");
        out.push_str(&self.model);
        out.push_str(",\"messages\":[");
        let mut separator = "";
        for message in self.system.iter().chain(history) {
            out.push_str(separator);
            out.push_str(message);
            separator = ",";
        }
        out.push(']');
        out.push_str(tools);
        out.push_str(&settings);
        out.push_str(",\"stream\":false}");
        out.into_bytes()
    }

    fn read(&self, body: &str) -> Result<ModelReply, String> {
        reply::read(body, self.sampling.max_tokens)
    }

    fn adapt(&self, refused: &Trouble) -> bool {
        let Some(BadRequest { param, code }) = &refused.bad_request else {
            return false;
        };
        let flag = match (param.as_str(), code.as_str()) {
            ("max_tokens", "unsupported_parameter") => &self.max_is_renamed,
            ("temperature", "unsupported_value" | "unsupported_parameter")
                if !self.sampling.is_temperature_given =>
            {
                &self.takes_no_temperature
            }
            _ => return false,
        };
        flag.store(true, Ordering::Relaxed);
        true
    }
}

fn message(role: &str, content: &str) -> String {
    format!("{{\"role\":\"{role}\",\"content\":{}}}", quoted(content))
}
