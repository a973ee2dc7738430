type Json = { readonly [name: string]: unknown }

/** A part of both documents, and how it is called in messages. */
type Compared = { readonly place: string; readonly before: unknown; readonly after: unknown }

/** A schema in a request may take more than before, one in a response may tell more. */
type Direction = 'request' | 'response'

const methods = ['get', 'put', 'post', 'delete', 'patch'] as const

/** Bounds of a request that may only become wider. */
const narrowing: readonly (readonly [bound: string, isNarrower: (to: number, from: number) => boolean])[] = [
  ['maximum', (to, from) => to < from], ['maxLength', (to, from) => to < from], ['maxItems', (to, from) => to < from],
  ['minimum', (to, from) => to > from], ['minLength', (to, from) => to > from], ['minItems', (to, from) => to > from],
]

/**
 * Compares an OpenAPI document with that of a release, and lists what a client of the release may miss: operations, parameters,
 * fields, words of enumerations and statuses that are gone, types that changed, and what is demanded anew.
 */
export function findBreakingChanges(released: Json, current: Json): readonly string[] {
  return new Comparison(released, current).compare()
}

class Comparison {
  readonly #released: Json
  readonly #current: Json
  readonly #found: string[] = []
  /** Pairs of references that are compared already, so that schemas may refer to themselves. */
  readonly #seen = new Set<string>()

  constructor(released: Json, current: Json) {
    this.#released = released
    this.#current = current
  }

  compare(): readonly string[] {
    for (const [path, operations] of Object.entries(toJson(this.#released['paths']))) {
      for (const method of methods) {
        const before = toJson(operations)[method]
        if (before === undefined) continue
        const after = toJson(toJson(this.#current['paths'])[path])[method]
        const place = `${method.toUpperCase()} ${path}`
        if (after === undefined) this.#found.push(`${place} is gone`)
        else this.#compareOperation({ place, before, after })
      }
    }
    return this.#found
  }

  #compareOperation({ place, before, after }: Compared): void {
    this.#compareParameters({ place, before, after })
    const [bodyBefore, bodyAfter] = [before, after].map((operation) => toJson(toJson(operation)['requestBody']))
    if (bodyAfter?.['required'] === true && bodyBefore?.['required'] !== true) this.#found.push(`${place}: its body is required`)
    this.#compareContent('request', { place: `${place}: body`, before: bodyBefore, after: bodyAfter })
    const responses = toJson(toJson(after)['responses'])
    for (const [status, response] of Object.entries(toJson(toJson(before)['responses']))) {
      const place200 = `${place}: ${status}`
      if (responses[status] !== undefined) this.#compareContent('response', { place: place200, before: response, after: responses[status] })
      else if (status.startsWith('2')) this.#found.push(`${place200} is gone`)
    }
  }

  #compareParameters({ place, before, after }: Compared): void {
    const list = (operation: unknown): readonly Json[] => toList(toJson(operation)['parameters']).map(toJson)
    const isSame = (one: Json) => (other: Json) => other['name'] === one['name'] && other['in'] === one['in']
    for (const parameter of list(before)) {
      const next = list(after).find(isSame(parameter))
      const named = `${place}: parameter ${String(parameter['name'])}`
      if (next === undefined) this.#found.push(`${named} is gone`)
      else this.#compareSchema('request', { place: named, before: parameter['schema'], after: next['schema'] })
    }
    for (const parameter of list(after)) {
      const isDemanded = parameter['required'] === true && list(before).find(isSame(parameter))?.['required'] !== true
      if (isDemanded) this.#found.push(`${place}: parameter ${String(parameter['name'])} is required`)
    }
  }

  #compareContent(direction: Direction, { place, before, after }: Compared): void {
    const contents = [this.#resolve(this.#released, before), this.#resolve(this.#current, after)].map((part) => toJson(part['content']))
    for (const [type, content] of Object.entries(contents[0] ?? {})) {
      const next = contents[1]?.[type]
      if (next === undefined) this.#found.push(`${place}: ${type} is gone`)
      else this.#compareSchema(direction, { place, before: toJson(content)['schema'], after: toJson(next)['schema'] })
    }
  }

  #compareSchema(direction: Direction, { place, before, after }: Compared): void {
    const pair = JSON.stringify([direction, toJson(before)['$ref'], toJson(after)['$ref']])
    if (toJson(before)['$ref'] !== undefined) {
      if (this.#seen.has(pair)) return
      this.#seen.add(pair)
    }
    const [old, next] = [this.#resolve(this.#released, before), this.#resolve(this.#current, after)]
    if (JSON.stringify(old) === JSON.stringify(next) && old['$ref'] === undefined && !JSON.stringify(old).includes('$ref')) return
    if (direction === 'request' && this.#takesItAmongOthers(old, next)) return
    this.#compareTypes(direction, { place, before: old, after: next })
    this.#compareFields(direction, { place, before: old, after: next })
    if (old['items'] !== undefined) this.#compareSchema(direction, { place: `${place}[]`, before: old['items'], after: next['items'] })
    for (const kind of ['anyOf', 'oneOf', 'allOf']) {
      const [forms, nextForms] = [toList(old[kind]), toList(next[kind])]
      forms.forEach((form, i) => this.#compareSchema(direction, { place, before: form, after: nextForms[i] }))
    }
  }

  /** Whether a request takes its former form among others, so that its senders go on as before. */
  #takesItAmongOthers(before: Json, after: Json): boolean {
    if (before['anyOf'] !== undefined) return false
    return toList(after['anyOf']).some((form) => {
      // Apart, because what is compared and discarded here must be compared again where it counts.
      const trial = new Comparison(this.#released, this.#current)
      for (const pair of this.#seen) trial.#seen.add(pair)
      trial.#compareSchema('request', { place: '', before, after: form })
      return trial.#found.length === 0
    })
  }

  #compareTypes(direction: Direction, { place, before, after }: Compared): void {
    const [old, next] = [toJson(before), toJson(after)]
    if (toTypes(old).join() !== toTypes(next).join()) {
      this.#found.push(`${place}: ${toTypes(old).join()} is ${toTypes(next).join() || 'gone'}`)
    }
    const words = toList(next['enum'])
    const gone = toList(old['enum']).filter((word) => !words.includes(word))
    if (gone.length > 0) this.#found.push(`${place}: no longer ${gone.join(', ')}`)
    if (direction === 'response') return
    if (old['enum'] === undefined && next['enum'] !== undefined) this.#found.push(`${place}: takes only some words`)
    for (const [bound, isNarrower] of narrowing) {
      const [from, to] = [old[bound], next[bound]]
      if (typeof to === 'number' && (typeof from !== 'number' || isNarrower(to, from))) this.#found.push(`${place}: ${bound} is ${to}`)
    }
  }

  #compareFields(direction: Direction, { place, before, after }: Compared): void {
    const [old, next] = [toJson(before), toJson(after)]
    const fields = toJson(next['properties'])
    for (const [name, schema] of Object.entries(toJson(old['properties']))) {
      if (fields[name] === undefined) this.#found.push(`${place}.${name} is gone`)
      else this.#compareSchema(direction, { place: `${place}.${name}`, before: schema, after: fields[name] })
    }
    const [required, nextRequired] = [toList(old['required']), toList(next['required'])]
    // A response must go on to have what it had, and a request must not be asked for more.
    const [had, has] = direction === 'response' ? [required, nextRequired] : [nextRequired, required]
    for (const name of had.filter((each) => !has.includes(each))) {
      this.#found.push(`${place}.${String(name)} is ${direction === 'response' ? 'no longer always there' : 'required'}`)
    }
  }

  #resolve(document: Json, value: unknown): Json {
    const ref = toJson(value)['$ref']
    if (typeof ref !== 'string') return toJson(value)
    return toJson(ref.replace('#/', '').split('/').reduce<unknown>((part, name) => toJson(part)[name], document))
  }
}

function toJson(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Json : {}
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function toTypes({ type }: Json): readonly string[] {
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type]
  return types.map(String).toSorted((a, b) => a.localeCompare(b))
}
