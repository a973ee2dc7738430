import { Link, useNavigate } from '@tanstack/react-router'
import type { NewConnectorBody } from '@tripline/contract/console/sources/connector'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { useMay } from '../../../api/use-may.ts'
import { PageHead } from '../../../frame/page-head.tsx'
import { useUrlState } from '../../../frame/use-url-state.ts'
import { t } from '../../../i18n/translate.ts'
import { textParameter, wordParameter } from '../../../lib/url-state.ts'
import { Skeleton } from '../../../ui/loading/skeleton.tsx'
import { ErrorMessage, StateMessage } from '../../../ui/state-message.tsx'
import { useConnectorList, useConnectorTypes } from '../connector-queries.ts'
import { listProducts } from '../connector-types.ts'
import { ChooseSource } from './choose-source.tsx'
import { FirstEvent } from './first-event.tsx'
import styles from './new-connector-page.module.css'
import { SendEvents } from './send-events.tsx'
import { SourceSettings } from './source-settings.tsx'

/** The steps to a new connector, in order. */
const steps = ['choose', 'settings', 'send', 'event'] as const

const parameters = {
  /** The kind of source, and the product that sends to it. */
  type: textParameter,
  product: textParameter,
  step: wordParameter(steps),
  /** The connector, once it is created. */
  connector: textParameter,
  /** A connector whose settings the new one begins with. */
  like: textParameter,
}

/** Adds a source of events in four steps: the source, its settings with a test, what to set up at the sender, the first event. */
export function NewConnectorPage(): ReactNode {
  const mayEdit = useMay('edit_connectors')
  const navigate = useNavigate()
  const [{ type, product, step: stated, connector, like }, setUrl] = useUrlState(parameters)
  const { data: catalogue, error, isError, refetch } = useConnectorTypes()
  const { data: connectors } = useConnectorList()
  const [created, setCreated] = useState<NewConnectorBody>()
  const products = useMemo(() => listProducts(catalogue ?? [], (one) => t(`connectors.type.${one}`)), [catalogue])
  const chosen = products.find((one) => one.type === type && (product === undefined || one.product === product))
  const wanted = stated ?? (chosen === undefined ? 'choose' : 'settings')
  // A step that needs what an earlier one makes begins with that.
  const step = chosen === undefined ? 'choose' : connector === undefined && (wanted === 'send' || wanted === 'event') ? 'settings' : wanted
  const copied = connectors?.find(({ id }) => id === like)
  const isLoaded = catalogue !== undefined && (like === undefined || connectors !== undefined)
  return (
    <>
      <PageHead title={t('connectors.new')} />
      <div className={styles['page']}>
        <ol className={styles['steps']} aria-label={t('connectors.steps')}>
          {steps.map((one, index) => (
            <li key={one} aria-current={one === step ? 'step' : undefined} data-done={index < steps.indexOf(step) || undefined}>
              <span className={styles['number']}>{index + 1}</span> {t(`connectors.step.${one}`)}
            </li>
          ))}
        </ol>
        {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
        {!isLoaded && !isError && <Skeleton lines={8} />}
        {isLoaded && !mayEdit && (
          <StateMessage title={t('connectors.mayNot')}><Link to="/connectors">{t('nav.connectors')}</Link></StateMessage>
        )}
        {isLoaded && mayEdit && step === 'choose' && (
          <ChooseSource
            products={products}
            onChoose={(one) => setUrl({ type: one.type, product: one.product, step: 'settings', connector: undefined })}
          />
        )}
        {isLoaded && mayEdit && step === 'settings' && chosen !== undefined && (
          <SourceSettings
            key={chosen.key}
            product={chosen}
            catalogue={catalogue}
            like={copied}
            onBack={() => setUrl({ step: 'choose', like: undefined })}
            onCreated={(made) => {
              setCreated(made)
              setUrl({ connector: made.id, like: undefined, step: chosen.product === undefined ? 'event' : 'send' }, { isReplacing: true })
            }}
          />
        )}
        {mayEdit && step === 'send' && chosen !== undefined && connector !== undefined && (
          <SendEvents
            id={connector}
            product={chosen}
            products={products.filter((one) => one.type === chosen.type)}
            token={created?.id === connector ? created.ingest?.token : undefined}
            onProduct={(next) => setUrl({ product: next }, { isReplacing: true })}
            onNext={() => setUrl({ step: 'event' })}
          />
        )}
        {mayEdit && step === 'event' && chosen !== undefined && connector !== undefined && (
          <FirstEvent
            id={connector}
            product={chosen}
            onBack={chosen.product === undefined ? undefined : () => setUrl({ step: 'send' })}
            onDone={() => void navigate({ to: '/connectors', search: { connector } as never })}
          />
        )}
      </div>
    </>
  )
}
