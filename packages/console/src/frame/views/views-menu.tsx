import { lazyPart } from '../../ui/loading/lazy-part.tsx'

/** The saved views of a page, which are no part of what it needs first. */
export const SavedViewsMenu = lazyPart(async () => (await import('./saved-views.tsx')).SavedViews)
