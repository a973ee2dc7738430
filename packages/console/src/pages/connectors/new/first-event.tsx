import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { getErrorText } from '../../../api/api-error.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { Refusal } from '../../../ui/forms/refusal.tsx'
import { testConnector } from '../connector-queries.ts'
import type { ConnectorProduct } from '../connector-types.ts'
import styles from './new-connector-page.module.css'
import { Sample } from './source-settings.tsx'
import { useArrival, waitMs } from './use-arrival.ts'

/** How often it looks for the events themselves: large ones are in no sample. */
const triesMax = 5

type FirstEventProps = {
  readonly id: string
  readonly product: ConnectorProduct
  readonly onBack: (() => void) | undefined
  readonly onDone: () => void
}

/** Waits for the first event, and shows it as rules see it. */
export function FirstEvent({ id, product, onBack, onDone }: FirstEventProps): ReactNode {
  const { hasArrived, problem: obstacle, text } = useArrival(id, product)
  const [sample, setSample] = useState<readonly object[]>()
  const tries = useRef(0)
  const [problem, setProblem] = useState<string>()
  const isShown = sample !== undefined || problem !== undefined
  useEffect(() => {
    if (isShown || !hasArrived) return undefined
    // An event counts when it has arrived, and is shown when it is stored, which is a moment later.
    const readSample = async (): Promise<void> => {
      try {
        const { sample: found } = await testConnector(id)
        tries.current++
        if (found !== undefined || tries.current === triesMax) setSample(found ?? [])
      } catch (error) {
        setProblem(getErrorText(error))
      }
    }
    const timer = setInterval(() => void readSample(), waitMs)
    return () => clearInterval(timer)
  }, [hasArrived, isShown, id])
  return (
    <div className={styles['form']}>
      <p role="status" className={styles['state']} data-arrived={hasArrived || undefined}>{text}</p>
      <Refusal text={obstacle} />
      {sample !== undefined && sample.length > 0 && (
        <>
          <h2 className={styles['title']}>{t('connectors.samples.seen')}</h2>
          <Sample events={sample} />
        </>
      )}
      <Refusal text={problem} />
      <div className={styles['actions']}>
        {onBack !== undefined && <Button onClick={onBack}>{t('connectors.back')}</Button>}
        <Button kind="primary" onClick={onDone}>{t('connectors.done')}</Button>
      </div>
    </div>
  )
}
