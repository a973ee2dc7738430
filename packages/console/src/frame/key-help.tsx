import type { ReactNode } from 'react'
import { enOverlays } from '../i18n/en/overlays.ts'
import { addTexts, t } from '../i18n/translate.ts'
import { keyLayers } from '../lib/keys.ts'
import { useStore } from '../lib/use-store.ts'
import { Kbd } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import styles from './key-help.module.css'

// They are no part of the first page.
addTexts(enOverlays)

/** All keys that work now: the bindings themselves, so that the list is never out of date. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }): ReactNode {
  const layers = useStore(keyLayers)
  const groups = [
    { title: t('keys.page'), bindings: layers.flatMap(({ bindings, isOfFrame }) => (isOfFrame ? [] : bindings)) },
    { title: t('keys.everywhere'), bindings: layers.flatMap(({ bindings, isOfFrame }) => (isOfFrame ? bindings : [])) },
  ]
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      {groups.map(({ title, bindings }) => (
        <section key={title} className={styles['group']}>
          <h3 className={styles['title']}>{title}</h3>
          <dl className={styles['keys']}>
            {bindings
              .filter(({ label }) => label !== undefined)
              .map(({ keys, label }) => (
                <div key={`${keys} ${label}`} className={styles['row']}>
                  <dt>
                    {keys.split(' ').map((key) => (
                      <Kbd key={key} keys={key} />
                    ))}
                  </dt>
                  <dd>{label}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
