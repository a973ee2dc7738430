import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import styles from './leave-guard.module.css'

type LeaveGuardProps = {
  /** Whether there is something to lose at this moment. */
  readonly hasChanges: () => boolean
  /** Forgets the draft before the page is left. */
  readonly onDiscard: () => void
}

/** What the history tells of a step. */
type Leaving = { readonly currentLocation: { readonly pathname: string }; readonly nextLocation: { readonly pathname: string } }

/** Asks before a page with unsaved changes is left for another one. A reload shows the draft again, and is not asked about. */
export function LeaveGuard({ hasChanges, onDiscard }: LeaveGuardProps): ReactNode {
  const { history } = useRouter()
  const [answer, setAnswer] = useState<(isStaying: boolean) => void>()
  const check = useRef(hasChanges)
  useEffect(() => {
    check.current = hasChanges
  })
  useEffect(() => history.block({
    enableBeforeUnload: false,
    blockerFn: async ({ currentLocation, nextLocation }: Leaving) => {
      if (currentLocation.pathname === nextLocation.pathname || !check.current()) return false
      const { promise, resolve } = Promise.withResolvers<boolean>()
      setAnswer(() => resolve)
      const isStaying = await promise
      setAnswer(undefined)
      return isStaying
    },
  }), [history])
  if (answer === undefined) return null
  const discard = (): void => {
    onDiscard()
    answer(false)
  }
  return <LeaveQuestion onStay={() => answer(true)} onLeave={() => answer(false)} onDiscard={discard} />
}

type LeaveQuestionProps = { readonly onStay: () => void; readonly onLeave: () => void; readonly onDiscard: () => void }

function LeaveQuestion({ onStay, onLeave, onDiscard }: LeaveQuestionProps): ReactNode {
  const leave = useRef<HTMLButtonElement>(null)
  // What loses nothing is what Enter does.
  useEffect(() => leave.current?.focus(), [])
  return (
    <Dialog title={t('rule.leave')} onClose={onStay}>
      <p className={styles['text']}>{t('rule.leave.text')}</p>
      <div className={styles['actions']}>
        <Button onClick={onStay}>{t('rule.leave.stay')}</Button>
        <Button kind="danger" onClick={onDiscard}>{t('rule.leave.discard')}</Button>
        <Button kind="primary" ref={leave} onClick={onLeave}>{t('rule.leave.keep')}</Button>
      </div>
    </Dialog>
  )
}
