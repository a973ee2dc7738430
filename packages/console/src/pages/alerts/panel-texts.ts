import { addTexts } from '../../i18n/translate.ts'

/** Waits for a part that is no part of the first page, and for its texts. */
export const withTexts = async <Module,>(loading: Promise<Module>): Promise<Module> => {
  const [module, { enAlertPanel }] = await Promise.all([loading, import('../../i18n/en/alert-panel.ts')])
  addTexts(enAlertPanel)
  return module
}
