/** A page of the console with its filters, kept under a name by a user, alone or for all users of the tenant. */
export type SavedView = {
  readonly id: string
  readonly page: string
  readonly name: string
  /** The query of the page's address, without the question mark. */
  readonly query: string
  readonly isShared: boolean
  /** The user who created it. */
  readonly ownerId: string
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}
