//! Anthropic Messages.

mod reply;

use std::sync::atomic::{AtomicBool, Ordering};

use crate::conversation::{CallResult, ModelReply, Sampling, Wire};
use crate::http::Trouble;
use crate::lenient::quoted;
use crate::tools::ToolSpec;

/// The wire.
#[derive(Debug)]
pub(crate) struct Messages {
    model: String,
    system: Option<String>,
    sampling: Sampling,
    /// Some models take none; found out by their refusal.
    takes_no_temperature: AtomicBool,
}

impl Messages {
    pub(crate) fn new(model: &str, instructions: Option<&str>, sampling: Sampling) -> Self {
        let instructions = instructions.filter(|text| !text.is_empty());
        Self {
            model: quoted(model),
            system: instructions.map(quoted),
            // Newer models take one of the two only: what the author asked for.
            takes_no_temperature: AtomicBool::new(
                sampling.top_p.is_some() && !sampling.is_temperature_given,
            ),
            sampling,
        }
    }
}

impl Wire for Messages {
    fn user(&self, text: &str) -> String {
        format!("{{\"role\":\"user\",\"content\":{}}}", quoted(text))
    }

    /// An empty answer is no message: the service refuses one without content, and takes two of the user in a row.
    fn assistant(&self, reply: &ModelReply) -> Option<String> {
        let mut blocks = reply.opaque.clone();
        // Nor does it take a text of white space.
        if !reply.text.trim().is_empty() {
            blocks.push(format!(
                "{{\"type\":\"text\",\"text\":{}}}",
                quoted(&reply.text)
            ));
        }
        blocks.extend(reply.calls.iter().map(|call| {
            format!(
                "{{\"type\":\"tool_use\",\"id\":{},\"name\":{},\"input\":{}}}",
                quoted(&call.id),
                quoted(&call.name),
                call.args_for_history()
            )
        }));
        (!blocks.is_empty()).then(|| {
            let blocks = blocks.join(",");
            format!("{{\"role\":\"assistant\",\"content\":[{blocks}]}}")
        })
    }

    fn results(&self, results: &[CallResult]) -> Vec<String> {
        let result = |result: &CallResult| {
            let is_error = if result.is_error {
                ",\"is_error\":true"
            } else {
                ""
            };
            format!(
                "{{\"type\":\"tool_result\",\"tool_use_id\":{},\"content\":{}{is_error}}}",
                quoted(&result.id),
                quoted(&result.text)
            )
        };
        let results = results.iter().map(result).collect::<Vec<_>>().join(",");
        vec![format!("{{\"role\":\"user\",\"content\":[{results}]}}")]
    }

    fn tools(&self, specs: &[ToolSpec]) -> String {
        if specs.is_empty() {
            return String::new();
        }
        let spec = |spec: &ToolSpec| {
            format!(
                "{{\"name\":{},\"description\":{},\"input_schema\":{}}}",
                quoted(&spec.name),
                quoted(&spec.description),
                spec.parameters
            )
        };
        let specs = specs.iter().map(spec).collect::<Vec<_>>().join(",");
        format!(",\"tools\":[{specs}]")
    }

    fn request(&self, history: &[String], tools: &str) -> Vec<u8> {
        let Sampling {
            temperature,
            max_tokens,
            top_p,
            ..
        } = &self.sampling;
        let size: usize = history.iter().map(|m| m.len() + 1).sum();
        let mut out = String::with_capacity(size + tools.len() + 512);
        let max_tokens = max_tokens.to_string();
        out.extend(["{\"model\":", &self.model, ",\"max_tokens\":", &max_tokens]);
        if let Some(system) = &self.system {
            out.extend([",\"system\":", system]);
        }
        out.push_str(",\"messages\":[");
        let mut separator = "";
        for message in history {
            out.extend([separator, message]);
            separator = ",";
        }
        out.extend(["]", tools]);
        if !self.takes_no_temperature.load(Ordering::Relaxed) {
            out.extend([",\"temperature\":", temperature.lexeme()]);
        }
        if let Some(top_p) = top_p {
            out.extend([",\"top_p\":", top_p.lexeme()]);
        }
        out.push_str(",\"stream\":false}");
        out.into_bytes()
    }

    fn read(&self, body: &str) -> Result<ModelReply, String> {
        reply::read(body, self.sampling.max_tokens)
    }

    fn adapt(&self, refused: &Trouble) -> bool {
        let is_temperature =
            refused.bad_request.is_some() && refused.message.contains("temperature");
        if !is_temperature || self.sampling.is_temperature_given {
            return false;
        }
        self.takes_no_temperature.store(true, Ordering::Relaxed);
        true
    }
}
