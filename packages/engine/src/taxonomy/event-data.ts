import type { EventObject } from '../event/event.ts'
import { isObject } from '../event/value.ts'
import { limits } from '../limits.ts'
import { readOwnObject, readOwnValue } from './read-own-value.ts'
import { addData } from './windows-fields.ts'
import type { Fields } from './windows-fields.ts'

/**
 * The key under which an XML converter stores the text of an element: `#text` when it marks attributes (`#attributes`,
 * `@Name`), `text` when attributes look like child elements.
 */
export type TextKey = '#text' | 'text'

type OpenElement = { readonly name: string; readonly value: unknown; readonly depth: number }

/**
 * Adds the leaf elements below `root`, an `EventData` or `UserData` element of any form. The field name is the tag of
 * the leaf, the attribute `Name` of a `Data` element, or `Tag_attribute` for the attributes of a leaf without text.
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

/** Reads an attribute of an element in any of the three notations. */
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

/** Pushes the children of an element in reverse order; returns whether there are any. */
function openChildren(element: EventObject, depth: number, open: OpenElement[]): boolean {
  const names = Object.keys(element).filter(isTag)
  if (depth >= limits.eventDataDepthMax) return names.length > 0
  for (const name of names.reverse()) {
    if (open.length < limits.eventDataElementsMax) open.push({ name, value: element[name], depth: depth + 1 })
  }
  return names.length > 0
}

/** Pushes the elements of one tag, each with the name of the tag. */
function openItems({ name, depth }: OpenElement, items: readonly unknown[], open: OpenElement[]): void {
  if (depth >= limits.eventDataDepthMax) return
  const freeCount = limits.eventDataElementsMax - open.length
  for (let i = Math.min(items.length, freeCount) - 1; i >= 0; i--) open.push({ name, value: items[i], depth: depth + 1 })
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

/** Whether a key is a child element rather than text, an attribute or a namespace declaration. */
function isTag(key: string): boolean {
  return !key.startsWith('#') && !key.startsWith('@') && !isNamespace(key)
}

function isNamespace(attribute: string): boolean {
  return attribute === 'xmlns' || attribute.startsWith('xmlns:')
}
