//! The API documentation: a static page rendered from the OpenAPI description, without external resources.

use std::fmt::Write;

use serde_json::Value;

/// The stylesheet of the page.
pub(super) const STYLESHEET: &str = include_str!("api_docs.css");

/// Renders an OpenAPI document.
pub(super) fn page(openapi: &str) -> String {
    let api: Value = serde_json::from_str(openapi).expect("the generated document is JSON");
    let mut page = String::new();
    write_page(&api, &mut page).expect("writing to a string cannot fail");
    page
}

fn write_page(api: &Value, page: &mut String) -> std::fmt::Result {
    let info = &api["info"];
    write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>untumble API</title>\n\
         <link rel=\"stylesheet\" href=\"/api/v1/docs.css\">\n</head>\n<body>\n<main>\n\
         <h1>{} API</h1>\n<p>Version {}. {}</p>\n\
         <p>OpenAPI document: <a href=\"/api/v1/openapi.json\">openapi.json</a>. \
         <a href=\"/\">Web page</a>.</p>\n",
        text(&info["title"]),
        text(&info["version"]),
        text(&info["description"])
    )?;
    for tag in list(&api["tags"]) {
        writeln!(page, "<h2>{}</h2>", text(&tag["description"]))?;
        for (path, operations) in entries(&api["paths"]) {
            for (method, operation) in entries(operations) {
                if list(&operation["tags"]).contains(&tag["name"]) {
                    self::write_operation(path, method, operation, page)?;
                }
            }
        }
    }
    writeln!(page, "<h2>Schemas</h2>")?;
    for (name, schema) in entries(&api["components"]["schemas"]) {
        self::write_schema(name, schema, page)?;
    }
    writeln!(page, "</main>\n</body>\n</html>")
}

fn write_operation(path: &str, method: &str, operation: &Value, page: &mut String) -> std::fmt::Result {
    let method = method.to_uppercase();
    writeln!(page, "<h3><span class=\"method\">{method}</span> <code>{}</code></h3>", escape(path))?;
    writeln!(page, "<p>{} {}</p>\n<table>", text(&operation["summary"]), text(&operation["description"]))?;
    for parameter in list(&operation["parameters"]) {
        let optional = if parameter["required"] == true { "" } else { ", optional" };
        writeln!(
            page,
            "<tr><th><code>{}</code></th><td>{} ({}{optional})</td></tr>",
            text(&parameter["name"]),
            text(&parameter["description"]),
            text(&parameter["in"])
        )?;
    }
    for (_, media) in entries(&operation["requestBody"]["content"]) {
        writeln!(page, "<tr><th>body</th><td>{}</td></tr>", type_of(&media["schema"]))?;
    }
    for (status, response) in entries(&operation["responses"]) {
        let bodies: Vec<String> = entries(&response["content"])
            .map(|(_, media)| format!(": {}", type_of(&media["schema"])))
            .collect();
        writeln!(
            page,
            "<tr><th>{}</th><td>{}{}</td></tr>",
            escape(status),
            text(&response["description"]),
            bodies.concat()
        )?;
    }
    writeln!(page, "</table>")
}

fn write_schema(name: &str, schema: &Value, page: &mut String) -> std::fmt::Result {
    let name = escape(name);
    writeln!(page, "<h3 id=\"{name}\"><code>{name}</code></h3>\n<p>{}</p>", text(&schema["description"]))?;
    let parts: Vec<&Value> = match &schema["allOf"] {
        Value::Array(parts) => parts.iter().collect(),
        _ => vec![schema],
    };
    let fields: Vec<String> = parts
        .iter()
        .flat_map(|part| {
            let inherited = part["$ref"]
                .as_str()
                .map(|_| format!("<tr><th>all of</th><td>{}</td></tr>\n", type_of(part)));
            let own_fields = entries(&part["properties"]).map(|(field, schema)| {
                let required = list(&part["required"]).iter().any(|name| name == field);
                let optional = if required { "" } else { " Optional." };
                format!(
                    "<tr><th><code>{}</code></th><td>{}. {}{optional}</td></tr>\n",
                    escape(field),
                    type_of(schema),
                    text(&schema["description"])
                )
            });
            inherited.into_iter().chain(own_fields).collect::<Vec<_>>()
        })
        .collect();
    if !fields.is_empty() {
        writeln!(page, "<table>\n{}</table>", fields.concat())?;
    } else if schema["description"].is_null() || !schema["enum"].is_null() || !schema["oneOf"].is_null() {
        writeln!(page, "<p>{}</p>", type_of(schema))?;
    }
    Ok(())
}

/// The type of a schema, with links to named schemas.
fn type_of(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        let name = escape(name);
        return format!("<a href=\"#{name}\"><code>{name}</code></a>");
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> =
            values.iter().map(|value| format!("<code>{}</code>", text(value))).collect();
        return values.join(" or ");
    }
    for choice in ["oneOf", "anyOf", "allOf"] {
        if let Some(parts) = schema[choice].as_array() {
            let separator = if choice == "allOf" { " and " } else { " or " };
            return parts.iter().map(type_of).collect::<Vec<_>>().join(separator);
        }
    }
    match &schema["type"] {
        Value::Array(types) => types.iter().map(text).collect::<Vec<_>>().join(" or "),
        Value::String(name) if name == "array" => format!("list of {}", type_of(&schema["items"])),
        Value::String(name) if name == "object" => {
            let fields: Vec<String> = entries(&schema["properties"])
                .map(|(field, schema)| format!("<code>{}</code>: {}", escape(field), type_of(schema)))
                .collect();
            if fields.is_empty() { "object".into() } else { format!("object with {}", fields.join(", ")) }
        }
        Value::String(name) => escape(name),
        _ => "any value".into(),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// The escaped text of a string value; empty for any other value.
fn text(value: &Value) -> String {
    escape(value.as_str().unwrap_or(""))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
