import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../../i18n/translate.ts'
import { SearchField } from '../../../ui/filters/search-field.tsx'
import type { ConnectorProduct } from '../connector-types.ts'
import styles from './new-connector-page.module.css'

/** The catalogue of sources, found by a part of a name: products that send, and what the server asks itself. */
export function ChooseSource({ products, onChoose }: {
  readonly products: readonly ConnectorProduct[]
  readonly onChoose: (product: ConnectorProduct) => void
}): ReactNode {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = products.filter(({ label }) => label.toLowerCase().includes(wanted))
  const groups = [
    { title: t('connectors.sending'), products: found.filter(({ product }) => product !== undefined) },
    { title: t('connectors.asked'), products: found.filter(({ product }) => product === undefined) },
  ]
  return (
    <>
      <div className={styles['search']}>
        <SearchField
          label={t('connectors.findSource')}
          keyLabel={t('connectors.findSource')}
          value={text}
          onChange={(next) => setText(next ?? '')}
        />
      </div>
      {found.length === 0 && <p role="status" className={styles['text']}>{t('connectors.noSource')}</p>}
      {groups.filter((group) => group.products.length > 0).map((group) => (
        <section key={group.title} aria-label={group.title} className={styles['group']}>
          <h2 className={styles['title']}>{group.title}</h2>
          <ul className={styles['sources']}>
            {group.products.map((product) => (
              <li key={product.key}>
                <button type="button" className={styles['source']} onClick={() => onChoose(product)}>
                  <span className={styles['name']}>{product.name}</span>{' '}
                  {product.product !== undefined && <span className={styles['text']}>{t(`connectors.type.${product.type}`)}</span>}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <p className={styles['text']}>
        {t('connectors.byCollector')} <Link to="/connectors/collectors" className={styles['link']}>{t('connectors.view.collectors')}</Link>
      </p>
    </>
  )
}
