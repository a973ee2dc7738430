import type { ReactNode } from 'react'
import { useMay } from '../../api/use-may.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Download } from '../../ui/icons.tsx'
import { lazyPart } from '../../ui/loading/lazy-part.tsx'
import type { ExportedList } from './export-store.ts'

/** No part of the first page: until it is loaded, a button of the same size stands there. */
const Exporting = lazyPart<ExportedList>(
  async () => (await import('./exporting.tsx')).Exporting,
  (_list, message) => message ?? <Button kind="ghost" icon={Download} disabled>{t('export')}</Button>,
)

/** Exports the listed rows, for those who may. */
export function ExportMenu(list: ExportedList): ReactNode {
  return useMay('export_all') ? <Exporting {...list} /> : null
}
