import type { ConnectorBody, ConnectorTestBody, NewConnectorBody } from '@tripline/contract/console/sources/connector'
import type { ConnectorTypeBody } from '@tripline/contract/console/sources/connector-type'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { readForm } from '../../lib/read-form.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { copyText } from '../../ui/field-list.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { Copy } from '../../ui/icons.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { CheckList } from './check-list.tsx'
import { createConnector, testConnector, useConnectorList, useConnectorTypes } from './connector-queries.ts'
import type { ConnectorDraft } from './connector-queries.ts'
import { isFeed, listOtherFields, listProducts, printConfiguration, readConfig } from './connector-types.ts'
import type { ConnectorProduct } from './connector-types.ts'
import styles from './new-connector-dialog.module.css'
import { MoreSettings, SettingFields, readMore } from './setting-fields.tsx'

type NewConnectorDialogProps = {
  /** A connector whose settings the new one begins with; secrets are typed anew. */
  readonly like?: ConnectorBody | undefined
  readonly onClose: () => void
  readonly onCreated: (id: string) => void
}

type Created = { readonly connector: NewConnectorBody; readonly product: ConnectorProduct }

/** Adds a source of events: the product, the settings with a test, then what to paste, until the first event arrives. */
export function NewConnectorDialog({ like, onClose, onCreated }: NewConnectorDialogProps): ReactNode {
  const [created, setCreated] = useState<Created>()
  const { data: catalogue, error, isError, refetch } = useConnectorTypes()
  return (
    <Dialog title={t('connectors.new')} onClose={onClose}>
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {created === undefined
        ? catalogue !== undefined && <SettingsForm catalogue={catalogue} like={like} onCreated={setCreated} onClose={onClose} />
        : (
            <FirstEvent
              created={created}
              onDone={() => {
                onCreated(created.connector.id)
                onClose()
              }}
            />
          )}
    </Dialog>
  )
}

type SettingsFormProps = {
  readonly catalogue: readonly ConnectorTypeBody[]
  readonly like: ConnectorBody | undefined
  readonly onCreated: (created: Created) => void
  readonly onClose: () => void
}

/** A first event by hand needs no product. */
const firstProduct = 'http_ndjson/curl'

function SettingsForm({ catalogue, like, onCreated, onClose }: SettingsFormProps): ReactNode {
  const form = useRef<HTMLFormElement>(null)
  const products = useMemo(() => listProducts(catalogue, (type) => t(`connectors.type.${type}`)), [catalogue])
  const [product, setProduct] = useState(() => {
    return products.find((one) => (like === undefined ? one.key === firstProduct : one.type === like.type)) ?? products[0]
  })
  const type = product?.type ?? 'http_ndjson'
  const config = like?.type === type ? like.config : undefined
  const others = listOtherFields(type, catalogue)
  const [test, setTest] = useState<ConnectorTestBody>()
  const [saving, testing] = [useTask(), useTask()]
  const problem = saving.problem ?? testing.problem
  const readDraft = (): ConnectorDraft => {
    const read = form.current === null ? () => '' : readForm(form.current)
    return { name: read('name').trim(), type, config: { ...readMore(others, read), ...readConfig(type, read) } }
  }
  const save = (event: FormEvent): void => {
    event.preventDefault()
    if (product !== undefined) {
      testing.clear()
      void saving.run(async () => onCreated({ connector: await createConnector(readDraft()), product }))
    }
  }
  const check = (): void => {
    saving.clear()
    void testing.run(async () => {
      const { config } = readDraft()
      setTest(await testConnector('new', { type, config }))
    })
  }
  return (
    <form ref={form} className={styles['form']} onSubmit={save}>
      <Select
        label={t('connectors.product')}
        value={product?.key ?? ''}
        options={products.map(({ key, label }) => ({ value: key, label }))}
        onChange={(next) => {
          setProduct(products.find(({ key }) => key === next))
          setTest(undefined)
        }}
      />
      <Field
        label={t('connectors.column.name')}
        name="name"
        defaultValue={like === undefined ? '' : t('connectors.copyOf', { name: like.name })}
        required
        autoFocus
      />
      <SettingFields key={type} type={type} {...(config && { config })} />
      <MoreSettings key={`${type} more`} type={type} fields={others} {...(config && { config })} />
      {test !== undefined && <CheckList checks={test.checks} />}
      {test?.sample !== undefined && <Sample events={test.sample} />}
      {problem !== undefined && <p className={styles['problem']} role="alert">{problem}</p>}
      <div className={styles['actions']}>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button isBusy={testing.isBusy} onClick={check}>{t('connectors.test')}</Button>
        <Button kind="primary" type="submit" isBusy={saving.isBusy}>{t('connectors.create')}</Button>
      </div>
    </form>
  )
}

/** Events as rules see them. */
function Sample({ events }: { readonly events: readonly object[] }): ReactNode {
  return <pre className={styles['snippet']} tabIndex={0}>{toVisibleText(JSON.stringify(events, undefined, 2))}</pre>
}

function describeArrival({ type }: ConnectorProduct, count: number): string {
  if (isFeed(type)) return count > 0 ? t('connectors.feed.arrived', { count }) : t('connectors.feed.waiting')
  return count > 0 ? t('connectors.arrived', { count }) : t('connectors.waiting')
}

/** How often the page looks for the first event. */
const waitMs = 2_000
/** How often it looks for the events themselves: large ones are in no sample. */
const triesMax = 5

function FirstEvent({ created: { connector, product }, onDone }: { readonly created: Created; readonly onDone: () => void }): ReactNode {
  const { id, ingest } = connector
  const { data, refetch } = useConnectorList()
  const { data: catalogue } = useConnectorTypes(id)
  const [sample, setSample] = useState<readonly object[]>()
  const tries = useRef(0)
  const [problem, setProblem] = useState<string>()
  const received = data?.find((one) => one.id === id)?.stats.events_received_total ?? 0
  const hasArrived = received > 0
  const isShown = sample !== undefined || problem !== undefined
  useEffect(() => {
    if (isShown) return undefined
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
    const timer = setInterval(() => void (hasArrived ? readSample() : refetch()), waitMs)
    return () => clearInterval(timer)
  }, [hasArrived, isShown, refetch, id])
  const configuration = printConfiguration(catalogue ?? [], product, ingest?.token)
  return (
    <div className={styles['form']}>
      {ingest !== undefined && <p className={styles['text']}>{t('connectors.once')}</p>}
      {configuration !== undefined && (
        <>
          {configuration.file !== '' && <p className={styles['text']}>{t('connectors.paste', { file: configuration.file })}</p>}
          <pre className={styles['snippet']} tabIndex={0}>{configuration.text}</pre>
          <div>
            <Button icon={Copy} onClick={() => void copyText(configuration.text)}>{t('connectors.copy')}</Button>
          </div>
        </>
      )}
      <p role="status" className={styles['state']} data-arrived={hasArrived || undefined}>
        {describeArrival(product, received)}
      </p>
      {sample !== undefined && sample.length > 0 && <Sample events={sample} />}
      {problem !== undefined && <p className={styles['problem']} role="alert">{problem}</p>}
      <div className={styles['actions']}>
        <Button kind="primary" onClick={onDone}>{t('connectors.done')}</Button>
      </div>
    </div>
  )
}
