// The order of the layers of styles is stated in the first of them.
import './styles/reset.css'
import './styles/tokens.css'
import './styles/base.css'
import { createRoot } from 'react-dom/client'
import { startSession } from './api/session.ts'
import { App } from './app.tsx'
import { startClock } from './lib/clock.ts'
import { listenToKeys } from './lib/keys.ts'
import { installTrustedTypes } from './trusted-types.ts'

installTrustedTypes(window)
// The refresh of the session starts first: all requests of the page wait for it.
void startSession()
listenToKeys(document)
startClock()
const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App />)
