import type { ReactNode } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/field.tsx'
import { copyText } from '../../../ui/copy-text.ts'
import { Refusal } from '../../../ui/forms/refusal.tsx'
import { Copy } from '../../../ui/icons.tsx'
import { Skeleton } from '../../../ui/loading/skeleton.tsx'
import { ErrorMessage } from '../../../ui/state-message.tsx'
import { useConnectorTypes } from '../connector-queries.ts'
import { printConfiguration } from '../connector-types.ts'
import type { ConnectorProduct } from '../connector-types.ts'
import styles from './new-connector-page.module.css'
import { useArrival } from './use-arrival.ts'

type SendEventsProps = {
  readonly id: string
  readonly product: ConnectorProduct
  /** Those that can send to the same connector. */
  readonly products: readonly ConnectorProduct[]
  /** The connector's token, which is known only until the page is left. */
  readonly token: string | undefined
  readonly onProduct: (product: string | undefined) => void
  readonly onNext: () => void
}

/** What to set up at the sender, with the address and the token of the connector. */
export function SendEvents({ id, product, products, token, onProduct, onNext }: SendEventsProps): ReactNode {
  const { data: catalogue, error, isError, refetch } = useConnectorTypes(id)
  const { hasArrived, problem: obstacle, text } = useArrival(id, product)
  const configuration = printConfiguration(catalogue ?? [], product, token)
  return (
    <div className={styles['form']}>
      <Select
        label={t('connectors.product')}
        value={product.key}
        options={products.map(({ key, name }) => ({ value: key, label: name }))}
        onChange={(key) => onProduct(products.find((one) => one.key === key)?.product)}
      />
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {catalogue === undefined && !isError && <Skeleton lines={6} />}
      {configuration !== undefined && (
        <>
          {token !== undefined && configuration.text.includes(token) && <p className={styles['text']}>{t('connectors.once')}</p>}
          {configuration.text.includes('TRIPLINE_TOKEN') && <p className={styles['text']}>{t('connectors.tokenGone')}</p>}
          {configuration.file !== '' && <p className={styles['text']}>{t('connectors.paste', { file: configuration.file })}</p>}
          <pre className={styles['snippet']} tabIndex={0}>{configuration.text}</pre>
          <div>
            <Button icon={Copy} onClick={() => void copyText(configuration.text)}>{t('connectors.copy')}</Button>
          </div>
        </>
      )}
      <p role="status" className={styles['state']} data-arrived={hasArrived || undefined}>{text}</p>
      <Refusal text={obstacle} />
      <div className={styles['actions']}>
        <Button kind="primary" onClick={onNext}>{t('connectors.next')}</Button>
      </div>
    </div>
  )
}
