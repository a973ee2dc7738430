import type { ReactNode } from 'react'
import styles from './refusal.module.css'

/** What the server refused, beside the form that asked. */
export function Refusal({ text }: { readonly text: string | undefined }): ReactNode {
  if (text === undefined) return null
  return (
    <p className={styles['problem']} role="alert">
      {text}
    </p>
  )
}
