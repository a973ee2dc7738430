/** Placeholders of a template, such as `{{title}}`. */
const templateNames = ['id', 'reason', 'title', 'text', 'severity', 'url', 'count'] as const
type TemplateValues = { readonly [name in (typeof templateNames)[number]]: string }

const placeholder = /\{\{\s*(\w+)\s*\}\}/g

/** Fills the placeholders of a JSON text; what is put in is escaped, so it cannot leave its string. */
export function fillTemplate(template: string, values: TemplateValues): string {
  return template.replaceAll(placeholder, (whole, name: string) => {
    const value: string | undefined = isTemplateName(name) ? values[name] : undefined
    return value === undefined ? whole : JSON.stringify(value).slice(1, -1)
  })
}

/** What is wrong with a template; undefined where it is usable. */
export function findTemplateProblem(template: string): string | undefined {
  if (template === '') return undefined
  const unknown = [...template.matchAll(placeholder)].map(([, name = '']) => name).find((name) => !isTemplateName(name))
  if (unknown !== undefined) return `has no placeholder '${unknown}'; there are ${templateNames.join(', ')}`
  // A value that shows where a placeholder is no part of a string.
  const sample = fillTemplate(template, { id: 'x', reason: 'x', title: 'x', text: 'x', severity: 'x', url: 'x', count: 'x' })
  try {
    JSON.parse(sample)
    return undefined
  } catch {
    return 'must be JSON, with each placeholder inside a string'
  }
}

function isTemplateName(name: string): name is keyof TemplateValues {
  return templateNames.some((known) => known === name)
}
