import type { Resource } from './read-resource.ts'

type Selection = { readonly attributes?: string | undefined; readonly excludedAttributes?: string | undefined }

/** A resource with the attributes that a request names, or without those that it excludes; `id` and `schemas` always stay. */
export function selectAttributes(resource: Resource, { attributes, excludedAttributes }: Selection): Resource {
  const isKept = attributes !== undefined && attributes.trim() !== '' ? readNames(attributes) : undefined
  const isLeftOut = readNames(excludedAttributes ?? '')
  return Object.fromEntries(Object.entries(resource).filter(([name]) => {
    if (name === 'id' || name === 'schemas') return true
    const folded = name.toLowerCase()
    return isKept === undefined ? !isLeftOut.has(folded) : isKept.has(folded)
  }))
}

/** The attributes of a list, each without its URN and its sub-attributes. */
function readNames(list: string): ReadonlySet<string> {
  return new Set(list.split(',').map((name) => name.trim().toLowerCase().replace(/^urn:.*:/, '').split('.')[0] ?? ''))
}
