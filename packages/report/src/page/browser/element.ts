type Attributes = Readonly<Record<string, string | number>>;

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes,
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  return filled(document.createElement(name), attributes, content);
}

export function makeSvg(
  name: string,
  attributes: Attributes,
  ...content: readonly (Node | string)[]
): SVGElement {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, content);
}

function filled<Made extends Element>(
  element: Made,
  attributes: Attributes,
  content: readonly (Node | string)[],
): Made {
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...content);
  return element;
}

export function required<Type extends Element>(selector: string, type: new () => Type): Type {
  const found = document.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`the page has no ${selector}`);
  return found;
}
