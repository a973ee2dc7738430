// Runs before the first paint: theme, density and language are attributes of the document, so no page flashes in the wrong colours,
// and screen readers speak the language of the texts from the first one on.
(function () {
  const root = document.documentElement
  let kept = {}
  try { kept = JSON.parse(localStorage.getItem('tripline.look') || '{}') } catch { /* Storage is off or holds something else. */ }
  const isLight = matchMedia('(prefers-color-scheme: light)').matches
  root.dataset.theme = kept.theme === 'light' || kept.theme === 'dark' ? kept.theme : isLight ? 'light' : 'dark'
  if (kept.density === 'compact' || kept.density === 'comfortable') root.dataset.density = kept.density
  root.lang = String(kept.language || navigator.language).startsWith('ko') ? 'ko' : 'en'
  // Paper is white, whatever the theme of the screen is.
  let shown
  addEventListener('beforeprint', () => { shown = root.dataset.theme; root.dataset.theme = 'light' })
  addEventListener('afterprint', () => { root.dataset.theme = shown })
}())
