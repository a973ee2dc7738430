/** A condition over the entries of a list (section 3.3), after it was read: its fields, operators and values fit. */
export type Filter =
  | { readonly and: readonly Filter[] }
  | { readonly or: readonly Filter[] }
  | { readonly not: Filter }
  | Comparison

export type Comparison = {
  readonly field: string
  readonly operator: FilterOperator
  /** A list for `in`, `nin` and `between`, which takes both ends; true or false for `exists`. Instants are milliseconds. */
  readonly value: FilterValue | readonly FilterValue[]
}

export type FilterValue = string | number | boolean

export const filterOperators = [
  'eq', 'ne', 'in', 'nin', 'gt', 'gte', 'lt', 'lte', 'between', 'exists', 'prefix', 'contains', 'cidr',
] as const
export type FilterOperator = (typeof filterOperators)[number]

/** A field that a list is sorted by. */
export type SortKey = { readonly field: string; readonly direction: 'asc' | 'desc' }

/** Where a page of a list begins: after the entry with these values of the sort keys, its id at the end. */
export type ListPlace = readonly (string | number)[]

/** How many entries a list has on all pages; a lower bound where it is not exact. */
export type ListTotal = { readonly count: number; readonly isExact: boolean }
