//! The description of the API as a page that needs nothing from elsewhere: written here, read anywhere.

use std::fmt::Write;

use serde_json::Value;

/// How the page looks.
pub(super) const LOOKS: &str = include_str!("viewer.css");

/// The page for an OpenAPI text.
pub(super) fn page(openapi: &str) -> String {
    let api: Value = serde_json::from_str(openapi).expect("our own text is JSON");
    let mut page = String::new();
    write(&api, &mut page).expect("a string takes any text");
    page
}

fn write(api: &Value, page: &mut String) -> std::fmt::Result {
    let info = &api["info"];
    write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>The API of untumble</title>\n\
         <link rel=\"stylesheet\" href=\"/api/v1/docs.css\">\n</head>\n<body>\n<main>\n\
         <h1>The API of {}</h1>\n<p>Version {}. {}</p>\n\
         <p>For programs: <a href=\"/api/v1/openapi.json\">openapi.json</a>. The <a href=\"/\">page</a> uses it.</p>\n",
        text(&info["title"]),
        text(&info["version"]),
        text(&info["description"])
    )?;
    for tag in list(&api["tags"]) {
        writeln!(page, "<h2>{}</h2>", text(&tag["description"]))?;
        for (path, operations) in entries(&api["paths"]) {
            for (method, operation) in entries(operations) {
                if list(&operation["tags"]).contains(&tag["name"]) {
                    self::operation(path, method, operation, page)?;
                }
            }
        }
    }
    writeln!(page, "<h2>What is sent</h2>")?;
    for (name, schema) in entries(&api["components"]["schemas"]) {
        self::schema(name, schema, page)?;
    }
    writeln!(page, "</main>\n</body>\n</html>")
}

fn operation(path: &str, method: &str, operation: &Value, page: &mut String) -> std::fmt::Result {
    let method = method.to_uppercase();
    writeln!(page, "<h3><span class=\"method\">{method}</span> <code>{}</code></h3>", escaped(path))?;
    writeln!(page, "<p>{} {}</p>\n<table>", text(&operation["summary"]), text(&operation["description"]))?;
    for parameter in list(&operation["parameters"]) {
        let needed = if parameter["required"] == true { "" } else { ", may be left out" };
        writeln!(
            page,
            "<tr><th><code>{}</code></th><td>{} ({}{needed})</td></tr>",
            text(&parameter["name"]),
            text(&parameter["description"]),
            text(&parameter["in"])
        )?;
    }
    for (_, media) in entries(&operation["requestBody"]["content"]) {
        writeln!(page, "<tr><th>body</th><td>{}</td></tr>", kind(&media["schema"]))?;
    }
    for (status, response) in entries(&operation["responses"]) {
        let bodies: Vec<String> =
            entries(&response["content"]).map(|(_, media)| format!(": {}", kind(&media["schema"]))).collect();
        writeln!(
            page,
            "<tr><th>{}</th><td>{}{}</td></tr>",
            escaped(status),
            text(&response["description"]),
            bodies.concat()
        )?;
    }
    writeln!(page, "</table>")
}

fn schema(name: &str, schema: &Value, page: &mut String) -> std::fmt::Result {
    let name = escaped(name);
    writeln!(page, "<h3 id=\"{name}\"><code>{name}</code></h3>\n<p>{}</p>", text(&schema["description"]))?;
    let parts: Vec<&Value> = match &schema["allOf"] {
        Value::Array(parts) => parts.iter().collect(),
        _ => vec![schema],
    };
    let fields: Vec<String> = parts
        .iter()
        .flat_map(|part| {
            let also =
                part["$ref"].as_str().map(|_| format!("<tr><th>all of</th><td>{}</td></tr>\n", kind(part)));
            let own = entries(&part["properties"]).map(|(field, schema)| {
                let needed = list(&part["required"]).iter().any(|name| name == field);
                let optional = if needed { "" } else { " May be left out." };
                format!(
                    "<tr><th><code>{}</code></th><td>{}. {}{optional}</td></tr>\n",
                    escaped(field),
                    kind(schema),
                    text(&schema["description"])
                )
            });
            also.into_iter().chain(own).collect::<Vec<_>>()
        })
        .collect();
    if !fields.is_empty() {
        writeln!(page, "<table>\n{}</table>", fields.concat())?;
    } else if schema["description"].is_null() || !schema["enum"].is_null() || !schema["oneOf"].is_null() {
        writeln!(page, "<p>{}</p>", kind(schema))?;
    }
    Ok(())
}

/// What a schema stands for, in a few words.
fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        let name = escaped(name);
        return format!("<a href=\"#{name}\"><code>{name}</code></a>");
    }
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<String> = words.iter().map(|word| format!("<code>{}</code>", text(word))).collect();
        return words.join(" or ");
    }
    for choice in ["oneOf", "anyOf", "allOf"] {
        if let Some(parts) = schema[choice].as_array() {
            let joint = if choice == "allOf" { " and " } else { " or " };
            return parts.iter().map(kind).collect::<Vec<_>>().join(joint);
        }
    }
    match &schema["type"] {
        Value::Array(types) => types.iter().map(text).collect::<Vec<_>>().join(" or "),
        Value::String(name) if name == "array" => format!("list of {}", kind(&schema["items"])),
        Value::String(name) if name == "object" => {
            let fields: Vec<String> = entries(&schema["properties"])
                .map(|(field, schema)| format!("<code>{}</code>: {}", escaped(field), kind(schema)))
                .collect();
            if fields.is_empty() { "object".into() } else { format!("object with {}", fields.join(", ")) }
        }
        Value::String(name) => escaped(name),
        _ => "anything".into(),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// A text of the description, fit for a page.
fn text(value: &Value) -> String {
    escaped(value.as_str().unwrap_or(""))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
