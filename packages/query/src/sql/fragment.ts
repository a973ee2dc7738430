import type { ParameterType, SqlDialect } from './dialects.ts'

/** A parameter of a statement: its value is never part of the text. */
export type Parameter = { readonly type: ParameterType; readonly value: string | number }

/** A part of a condition: texts with a parameter between each two. */
export type Fragment = { readonly texts: readonly string[]; readonly parameters: readonly Parameter[] }

/** The values for a form of a dialect. */
export type Filling = { readonly column: string; readonly operator?: string; readonly parameter?: Parameter }

/** Fills in a form of a dialect. Splits it at its placeholders first, so values are never read as placeholders. */
export function fillForm(form: string, { column, operator = '', parameter }: Filling): Fragment {
  const texts = ['']
  const parameters: Parameter[] = []
  for (const piece of form.split(/(\{\w+\})/)) {
    if (piece === '{value}' && parameter !== undefined) {
      parameters.push(parameter)
      texts.push('')
    } else texts[texts.length - 1] += piece === '{column}' ? column : piece === '{operator}' ? operator : piece
  }
  return { texts, parameters }
}

export function textFragment(text: string): Fragment {
  return { texts: [text], parameters: [] }
}

/** Concatenates fragments. */
export function concatenate(...fragments: readonly Fragment[]): Fragment {
  const texts = ['']
  for (const fragment of fragments) {
    texts[texts.length - 1] += fragment.texts[0] ?? ''
    texts.push(...fragment.texts.slice(1))
  }
  return { texts, parameters: fragments.flatMap(({ parameters }) => parameters) }
}

/**
 * Joins conditions as a balanced binary tree: databases parse `a OR b OR c` as nested, and limit the depth.
 */
export function joinBalanced(operator: 'AND' | 'OR', fragments: readonly Fragment[]): Fragment {
  const [first] = fragments
  if (first !== undefined && fragments.length === 1) return first
  const middle = Math.ceil(fragments.length / 2)
  const [left, right] = [fragments.slice(0, middle), fragments.slice(middle)].map((half) => joinBalanced(operator, half))
  return concatenate(textFragment('('), left!, textFragment(` ${operator} `), right!, textFragment(')'))
}

/** Quotes the name of a column; undefined for a name that statements cannot contain. */
export function quoteName(name: string, { quote, nameEscapes }: SqlDialect): string | undefined {
  if (name.includes('\0') || !name.isWellFormed()) return undefined
  const escaped = Array.from(name, (character) => nameEscapes[character] ?? character).join('')
  return `${quote}${escaped}${quote}`
}

/** The text of a statement, with a placeholder for each parameter. */
export function renderFragment({ texts, parameters }: Fragment, { placeholders }: SqlDialect): string {
  return texts.map((text, i) => {
    const parameter = parameters[i]
    return parameter === undefined ? text : text + placeholders[parameter.type].replace('#', String(i))
  }).join('')
}
