import type { ComponentType } from 'react'
import type { MessageKey } from '../i18n/message.ts'
import type { Icon } from '../ui/icons.tsx'

/** A page of the console: a row of `routes.tsx`. */
export type PageRow = {
  readonly path: string
  /** The parameter that names one entry of the page's list: `/alerts/{id}` leads to `/alerts?alert={id}`. */
  readonly entry?: string
  readonly label: MessageKey
  readonly icon: Icon
  readonly group?: 'investigate' | 'detect' | 'operate'
  /** The keys that lead to it, such as `g a`. */
  readonly keys: string
  /** Loads its component; each page is a chunk of its own. */
  readonly load: () => Promise<{ readonly Page: ComponentType }>
}
