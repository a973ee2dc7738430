// The order of the layers of styles is stated in the first of them.
import '../styles/reset.css'
import '../styles/tokens.css'
import '../styles/base.css'
import { createRoot } from 'react-dom/client'
import { loadLanguage } from '../i18n/translate.ts'
import { listenToKeys } from '../lib/keys.ts'
import { look } from '../lib/look.ts'
import { installTrustedTypes } from '../trusted-types.ts'
import { isSharedLink, readShared } from './share.ts'
import { Playground } from './playground.tsx'

installTrustedTypes(window, new URL('./files/', location.href).pathname)
listenToKeys(document)
const root = document.getElementById('root')
const [shared] = await Promise.all([readShared(location.hash), loadLanguage('en'), loadLanguage(look.get().language)])
// Another link, pasted into the address of this page, changes the fragment alone: browsers load nothing then.
addEventListener('hashchange', () => {
  if (isSharedLink(location.hash)) location.reload()
})
if (root !== null) createRoot(root).render(<Playground shared={shared} isDamaged={shared === undefined && isSharedLink(location.hash)} />)
