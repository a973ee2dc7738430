import type { ReactNode } from 'react'
import styles from './tabs.module.css'

/** Views of one page as links of a bar; `count` stands beside the chosen one. */
export function Tabs<Id extends string>({
  label,
  tabs,
  current,
  onChoose,
  end,
}: {
  readonly label: string
  readonly tabs: readonly { readonly id: Id; readonly label: string; readonly count?: string | undefined }[]
  readonly current: Id | undefined
  readonly onChoose: (id: Id) => void
  readonly end?: ReactNode
}): ReactNode {
  return (
    <div className={styles['bar']}>
      <nav aria-label={label} className={styles['tabs']}>
        {tabs.map(({ id, label: text, count }) => (
          <button
            key={id}
            type="button"
            className={styles['tab']}
            aria-current={id === current ? 'page' : undefined}
            onClick={() => onChoose(id)}
          >
            {text}
            {count !== undefined && <span className={styles['count']}>{count}</span>}
          </button>
        ))}
      </nav>
      {end}
    </div>
  )
}
