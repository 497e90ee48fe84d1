// How does the description become a page? openapi.json, written out as plain elements; nothing is ever parsed as HTML.

const METHODS = ["get", "post", "put", "patch", "delete"];
const NESTED_MAX = 8;
const INPUT_DAY = "2024-01-31";

// Building elements

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** Plain text in which `backticks` mark code. */
function prose(text = "") {
  return text.split("`").map((piece, place) => (place % 2 ? make("code", {}, piece) : piece));
}

// Reading the description

class Description {
  constructor(told) {
    this.told = told;
    this.base = new URL("..", new URL("openapi.json", document.baseURI)).href.replace(/\/$/, "");
  }

  /** Whatever a reference stands for; other things stand for themselves. */
  followed(thing) {
    if (!thing || !thing.$ref) return thing || {};
    return thing.$ref.slice(2).split("/").reduce((inner, key) => inner[key], this.told);
  }

  operations() {
    return Object.entries(this.told.paths).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => ({ path, method, ...item[method] })),
    );
  }

  groups() {
    const operations = this.operations();
    return this.told.tags.map((tag) => ({ ...tag, operations: operations.filter((one) => one.tags.includes(tag.name)) }));
  }

  /** The schema of a body, whichever of its encodings: they all take the same fields. */
  body(operation) {
    const content = this.followed(operation.requestBody).content || {};
    const schema = (Object.values(content)[0] || {}).schema || {};
    const model = this.followed(schema);
    return { ...model, required: [...(model.required || []), ...(schema.required || [])] };
  }

  needsToken(operation) {
    return (operation.security || this.told.security).length > 0;
  }
}

// Words for schemas

function typesOf(schema) {
  const named = schema.type || [...new Set((schema.enum || []).filter((value) => value !== null).map((value) => typeof value))];
  return [named].flat().filter((type) => type !== "null");
}

function kindOf(description, schema) {
  const real = description.followed(schema);
  if (real.anyOf) {
    const kinds = real.anyOf.filter((one) => one.type !== "null").map((one) => kindOf(description, one));
    return [...new Set(kinds)].join(" or ");
  }
  if (real.type === "array") return `list of ${kindOf(description, real.items || {})}`;
  const words = typesOf(real).join(" or ");
  return real.format ? `${words} (${real.format})` : words || "anything";
}

function isNullable(schema) {
  return [schema.type || []].flat().includes("null") || (schema.enum || []).includes(null);
}

function limitsOf(schema) {
  const limits = [
    schema.enum && `one of ${schema.enum.filter((word) => word !== null).map((word) => JSON.stringify(word)).join(", ")}`,
    schema.minLength > 1 && `at least ${schema.minLength} characters`,
    schema.maxLength && `at most ${schema.maxLength} characters`,
    schema.minimum !== undefined && `at least ${schema.minimum}`,
    schema.exclusiveMinimum !== undefined && `more than ${schema.exclusiveMinimum}`,
    schema.maximum !== undefined && schema.maximum < 2 ** 53 && `at most ${schema.maximum}`,
    schema.maxItems && `at most ${schema.maxItems} items`,
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
  ];
  return limits.filter(Boolean).join("; ");
}

// Fields

/** The object that a field holds, or that each item of its list is; null for anything plain. */
function objectIn(description, schema) {
  const real = description.followed(schema);
  const inner = real.type === "array" ? description.followed(real.items) : real;
  return inner.properties ? inner : null;
}

function fieldLine(description, name, schema, { required, shown }) {
  const real = description.followed(schema);
  const remark = shown ? !required && "not always there" : required && "required";
  return [
    make("code", { class: "name" }, name),
    " ",
    make("span", { class: "kind" }, kindOf(description, schema), shown && isNullable(real) ? " or null" : ""),
    remark ? make("span", { class: "must" }, ` ${remark}`) : "",
  ];
}

function fieldNotes(description, schema) {
  const real = description.followed(schema);
  const limits = limitsOf(real);
  const about = schema.description || (real.properties ? "" : real.description);
  return [about ? make("p", {}, ...prose(about)) : null, limits ? make("p", { class: "limits" }, limits) : null];
}

/** `shown` fields are those of an answer: there, being absent is what needs a word; in a request it is being required. */
function fieldList(description, schema, { shown, depth = 0 }) {
  const required = new Set(schema.required || []);
  const items = Object.entries(schema.properties || {}).map(([name, field]) => {
    const line = fieldLine(description, name, field, { required: required.has(name), shown });
    const inner = depth < NESTED_MAX ? objectIn(description, field) : null;
    if (!inner) return make("li", {}, ...line, ...fieldNotes(description, field));
    const open = ["data", "attributes"].includes(name) || !shown;
    const nested = fieldList(description, inner, { shown, depth: depth + 1 });
    return make("li", {}, make("details", { open }, make("summary", {}, ...line), ...fieldNotes(description, field), nested));
  });
  return make("ul", { class: "fields" }, ...items);
}

// Examples

function sample(description, schema, depth = 0) {
  const real = description.followed(schema);
  if (real.examples) return real.examples[0];
  if (real.default !== undefined && real.default !== null) return real.default;
  if (real.enum) return real.enum[0];
  if (real.anyOf) return sample(description, real.anyOf[0], depth);
  const [type] = typesOf(real);
  if (type === "array") return depth < NESTED_MAX ? [sample(description, real.items, depth + 1)] : [];
  if (real.properties) return sampleObject(description, real, depth);
  if (real.format === "date") return INPUT_DAY;
  if (real.format === "email") return "ann@example.org";
  return { integer: real.minimum ?? 1, number: 10, boolean: true }[type] ?? "text";
}

function sampleObject(description, schema, depth) {
  const names = Object.keys(schema.properties);
  const wanted = schema.required && schema.required.length ? schema.required : names.slice(0, 1);
  return Object.fromEntries(
    wanted.map((name) => [name, depth < NESTED_MAX ? sample(description, schema.properties[name], depth + 1) : null]),
  );
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function curl(description, operation) {
  const parameters = (operation.parameters || []).map((one) => description.followed(one));
  const path = parameters
    .filter((one) => one.in === "path")
    .reduce((spelled, one) => spelled.replace(`{${one.name}}`, one.example ?? "1"), operation.path);
  const parts = ["curl"];
  if (["put", "patch", "delete"].includes(operation.method)) parts.push(`-X ${operation.method.toUpperCase()}`);
  if (description.needsToken(operation)) parts.push('-H "Authorization: Bearer $TOKEN"');
  parts.push(description.base + path);
  if (!operation.requestBody) return parts.join(" ");
  if (!operation.requestBody.content["application/json"]) return `${parts.join(" ")} --data-binary @file`;
  if (!description.followed(operation.requestBody).content["application/json"]) {
    return `${parts.join(" ")} \\\n  --data-binary @file`;
  }
  const body = JSON.stringify(sample(description, description.body(operation)), null, 2);
  return `${parts.join(" ")} \\\n  -H "Content-Type: application/json" -d ${quoted(body)}`;
}

function exampleOf(description, operation) {
  const line = curl(description, operation);
  const button = make("button", { type: "button" }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(line);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select it";
    }
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  return make("div", { class: "example" }, make("pre", {}, make("code", {}, line)), button);
}

// One operation

function parameterList(description, parameters) {
  const items = parameters.map((one) => {
    const line = fieldLine(description, one.name, one.schema, { required: Boolean(one.required), shown: false });
    const about = make("p", {}, ...prose(one.description));
    const limits = limitsOf(one.schema);
    const place = make("span", { class: "kind" }, one.in === "path" ? " in the path" : "");
    return make("li", {}, ...line, place, about, limits ? make("p", { class: "limits" }, limits) : null);
  });
  return make("ul", { class: "fields" }, ...items);
}

function answerItem(description, status, response) {
  const real = description.followed(response);
  const [mediaType, content] = Object.entries(real.content || {})[0] || [];
  const line = [
    make("span", { class: `status ${status < "300" ? "ok" : "bad"}` }, status),
    " ",
    make("span", {}, ...prose(real.description)),
    mediaType ? make("span", { class: "kind" }, ` ${mediaType}`) : null,
  ];
  if (!content) return make("li", {}, ...line);
  if (content.example) {
    const example = make("pre", {}, make("code", {}, JSON.stringify(content.example, null, 2)));
    return make("li", {}, make("details", {}, make("summary", {}, ...line), example));
  }
  const schema = description.followed(content.schema);
  if (!schema.properties) return make("li", {}, ...line);
  return make("li", {}, make("details", {}, make("summary", {}, ...line), fieldList(description, schema, { shown: true })));
}

function insideOf(description, operation) {
  const parameters = (operation.parameters || []).map((one) => description.followed(one));
  const body = description.body(operation);
  const encodings = Object.keys(description.followed(operation.requestBody).content || {});
  const answers = Object.entries(operation.responses).map(([status, one]) => answerItem(description, status, one));
  const parts = [operation.description ? make("p", {}, ...prose(operation.description)) : null];
  parts.push(make("h4", {}, "Example"), exampleOf(description, operation));
  if (parameters.length) parts.push(make("h4", {}, "Parameters"), parameterList(description, parameters));
  if (encodings.length) {
    const about = body.description ? make("p", {}, ...prose(body.description)) : null;
    const spoken = make("p", { class: "kind" }, `Sent as ${encodings.join(", ")}.`);
    parts.push(make("h4", {}, "Fields"), about, spoken, fieldList(description, body, { shown: false }));
  }
  parts.push(make("h4", {}, "Answers"), make("ul", { class: "fields" }, ...answers));
  return make("div", { class: "inside" }, ...parts.filter(Boolean));
}

function methodBadge(method) {
  return make("span", { class: `method ${method}` }, method.toUpperCase());
}

/** The inside is built when it is first opened: most never are. */
function operationBox(description, operation) {
  const heading = make("h3", {}, methodBadge(operation.method), " ", make("code", { class: "path" }, operation.path));
  const what = make("span", { class: "what" }, ...prose(operation.summary));
  const box = make("details", { class: "operation", id: operation.operationId }, make("summary", {}, heading, what));
  box.addEventListener("toggle", () => {
    if (box.open && !box.querySelector(".inside")) box.append(insideOf(description, operation));
  });
  return box;
}

function wordsOf(description, operation) {
  const names = (operation.parameters || []).map((one) => description.followed(one).name);
  const fields = Object.keys(description.body(operation).properties || {});
  return [operation.method, operation.path, operation.summary, operation.operationId, ...operation.tags, ...names, ...fields]
    .join(" ")
    .toLowerCase();
}

// The page

function groupParts(description, group) {
  const rows = group.operations.map((operation) => ({
    words: wordsOf(description, operation),
    box: operationBox(description, operation),
    entry: make("li", {}, make("a", { href: `#${operation.operationId}` }, methodBadge(operation.method), operation.summary)),
  }));
  const about = make("p", {}, ...prose(group.description));
  const section = make("section", { class: "group" }, make("h2", {}, group.name), about, ...rows.map((row) => row.box));
  const menu = make("div", {}, make("h2", {}, group.name), make("ul", {}, ...rows.map((row) => row.entry)));
  return { rows, section, menu };
}

function searching(groups) {
  const box = document.getElementById("search");
  const found = document.getElementById("found");
  const total = groups.reduce((sum, group) => sum + group.rows.length, 0);
  const filter = () => {
    const wanted = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let matches = 0;
    for (const group of groups) {
      const fitting = group.rows.filter((row) => wanted.every((word) => row.words.includes(word)));
      for (const row of group.rows) row.box.hidden = row.entry.hidden = !fitting.includes(row);
      group.section.hidden = group.menu.hidden = fitting.length === 0;
      matches += fitting.length;
    }
    found.value = wanted.length ? `${matches} of ${total}` : "";
  };
  box.addEventListener("input", filter);
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLInputElement;
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      box.focus();
    }
    if (event.key === "Escape" && event.target === box) {
      box.value = "";
      filter();
    }
  });
}

/** An address with an operation's name opens it. */
function openNamed() {
  const box = document.getElementById(location.hash.slice(1));
  if (!box || !box.matches("details.operation")) return;
  box.open = true;
  box.scrollIntoView();
  box.querySelector("summary").focus({ preventScroll: true });
}

function show(told) {
  const description = new Description(told);
  const groups = description.groups().map((group) => groupParts(description, group));
  document.getElementById("version").textContent = told.info.version;
  document.getElementById("title").textContent = told.info.title;
  document.getElementById("contents").append(...groups.map((group) => group.menu));
  document.getElementById("menu").open = matchMedia("(min-width: 50.01rem)").matches;
  const about = make("div", { class: "about" }, make("p", {}, ...prose(told.info.description)));
  const raw = make("p", {}, "For programs: ", make("a", { href: "openapi.json" }, "openapi.json"), ", OpenAPI 3.1.");
  about.append(raw);
  document.getElementById("state").replaceWith(about, ...groups.map((group) => group.section));
  searching(groups);
  window.addEventListener("hashchange", openNamed);
  openNamed();
}

try {
  const response = await fetch("openapi.json");
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  show(await response.json());
} catch (error) {
  document.getElementById("state").textContent = `The description could not be read: ${error.message}.`;
}
