/** A validated filter over the entries of a list. */
export type Filter =
  | { readonly and: readonly Filter[] }
  | { readonly or: readonly Filter[] }
  | { readonly not: Filter }
  | Comparison

export type Comparison = {
  readonly field: string
  readonly operator: FilterOperator
  /** A list for `in`, `nin` and `between` (inclusive); a boolean for `exists`. Times are milliseconds. */
  readonly value: FilterValue | readonly FilterValue[]
}

export type FilterValue = string | number | boolean

export const filterOperators = [
  'eq', 'ne', 'in', 'nin', 'gt', 'gte', 'lt', 'lte', 'between', 'exists', 'prefix', 'contains', 'cidr',
] as const
export type FilterOperator = (typeof filterOperators)[number]

/** A field that a list is sorted by. */
export type SortKey = { readonly field: string; readonly direction: 'asc' | 'desc' }

/** The keyset position of a page: the sort key values of the previous entry, with its id last. */
export type ListPlace = readonly (string | number)[]

/** The total number of entries; a lower bound if not exact. */
export type ListTotal = { readonly count: number; readonly isExact: boolean }
