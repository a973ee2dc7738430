import type { EventObject } from '../event/event.ts'
import { isObject } from '../event/value.ts'
import { limits } from '../limits.ts'
import { readOwnObject, readOwnValue } from './read-own-value.ts'
import { addData } from './windows-fields.ts'
import type { Fields } from './windows-fields.ts'

/**
 * How a converter from XML wrote elements: the key of an element's text. `#text` stands beside attributes
 * that are marked (`#attributes`, `@Name`), `text` beside attributes that look like child elements.
 */
export type TextKey = '#text' | 'text'

type OpenElement = { readonly name: string; readonly value: unknown; readonly depth: number }

/**
 * Adds the leaf elements below `root`, which is `EventData` or `UserData` in any of their forms: a leaf by
 * its tag, `Data` by its attribute `Name`, and a leaf without text by its attributes as `Tag_attribute`.
 * Walks without recursion; reads `limits.eventDataDepthMax` levels and `limits.eventDataElementsMax` elements.
 */
export function addElements(fields: Fields, root: EventObject, textKey: TextKey): void {
  const open: OpenElement[] = []
  openChildren(root, 0, open)
  let readCount = 0
  for (let element = open.pop(); element !== undefined; element = open.pop()) {
    if (++readCount > limits.eventDataElementsMax) return
    if (Array.isArray(element.value)) openItems(element, element.value, open)
    else if (isObject(element.value)) readElement(fields, element, element.value, { open, textKey })
    else addData(fields, element.name, element.value)
  }
}

/** An attribute of an element, however the converter marked it. */
export function readAttribute(element: unknown, name: string): unknown {
  if (!isObject(element)) return undefined
  const marked = readOwnObject(element, '#attributes')
  return marked === undefined ? (readOwnValue(element, `@${name}`) ?? readOwnValue(element, name)) : readOwnValue(marked, name)
}

type ElementWalk = { readonly open: OpenElement[]; readonly textKey: TextKey }

function readElement(fields: Fields, element: OpenElement, value: EventObject, { open, textKey }: ElementWalk): void {
  const dataName = element.name === 'Data' ? readAttribute(value, 'Name') : undefined
  const name = typeof dataName === 'string' ? dataName : element.name
  const text = readOwnValue(value, textKey)
  if (text !== undefined) open.push({ name, value: text, depth: element.depth + 1 })
  else if (name !== element.name) addData(fields, name, '')
  else if (!openChildren(value, element.depth, open)) addAttributes(fields, element.name, value)
}

/** Opens the children of an element, the first on top; answers whether there are any. */
function openChildren(element: EventObject, depth: number, open: OpenElement[]): boolean {
  const names = Object.keys(element).filter(isTag)
  if (depth >= limits.eventDataDepthMax) return names.length > 0
  for (const name of names.reverse()) {
    if (open.length < limits.eventDataElementsMax) open.push({ name, value: element[name], depth: depth + 1 })
  }
  return names.length > 0
}

/** Opens elements of one tag; each counts with the tag's name. */
function openItems({ name, depth }: OpenElement, items: readonly unknown[], open: OpenElement[]): void {
  if (depth >= limits.eventDataDepthMax) return
  const room = limits.eventDataElementsMax - open.length
  for (let i = Math.min(items.length, room) - 1; i >= 0; i--) open.push({ name, value: items[i], depth: depth + 1 })
}

function addAttributes(fields: Fields, tag: string, element: EventObject): void {
  const attributes = readOwnObject(element, '#attributes')
  if (attributes !== undefined) {
    for (const name of Object.keys(attributes)) {
      if (!isNamespace(name)) addData(fields, `${tag}_${name}`, attributes[name])
    }
    return
  }
  for (const name of Object.keys(element)) {
    if (name.startsWith('@') && !isNamespace(name.slice(1))) addData(fields, `${tag}_${name.slice(1)}`, element[name])
  }
}

/** Whether a key is a child element, and neither text nor an attribute nor a declaration. */
function isTag(key: string): boolean {
  return !key.startsWith('#') && !key.startsWith('@') && !isNamespace(key)
}

function isNamespace(attribute: string): boolean {
  return attribute === 'xmlns' || attribute.startsWith('xmlns:')
}
