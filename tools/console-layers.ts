import type { PackageLayers } from './find-layer-violations.ts'

const react = ['react']
/** Shapes of requests and responses; the schemas behind them stay on the server. */
const shapes = ['@tripline/contract/*']
/** What every page is made of. */
const ofPages = {
  uses: ['api', 'frame', 'i18n', 'lib', 'ui'], packages: [...react, '@tanstack/react-query', '@tanstack/react-router'], types: shapes,
}

/** The console: pages stand on a frame, which stands on components, which know no page. No page imports another. */
export const consoleLayers: PackageLayers = {
  isPure: false,
  rooms: {
    'main.tsx': { uses: ['api', 'app.tsx', 'lib', 'trusted-types.ts'], packages: ['react-dom/client'] },
    'app.tsx': {
      uses: ['api', 'frame', 'i18n', 'lib', 'pages/login', 'routes.tsx'],
      packages: [...react, '@tanstack/react-query', '@tanstack/react-router'],
    },
    // The table of pages.
    'routes.tsx': {
      uses: [
        'dev', 'frame', 'lib', 'ui',
        'pages/alerts', 'pages/dashboard', 'pages/health', 'pages/incidents', 'pages/pipeline', 'pages/rules', 'pages/search',
      ],
      packages: [...react, '@tanstack/react-router'],
    },

    // All components on one page, which only development serves.
    'dev': ofPages,

    'pages/alerts': ofPages,
    'pages/dashboard': ofPages,
    'pages/health': ofPages,
    'pages/incidents': ofPages,
    'pages/login': ofPages,
    'pages/pipeline': ofPages,
    'pages/rules': ofPages,
    // Queries are read in the page, which shows where an error is.
    'pages/search': { ...ofPages, packages: [...ofPages.packages, '@tripline/query'] },

    // What surrounds every page: navigation, palette, keys, the parameters of the address.
    'frame': {
      uses: ['api', 'i18n', 'lib', 'ui'], packages: [...react, '@tanstack/react-query', '@tanstack/react-router'], types: shapes,
    },
    // Components and their styles.
    'ui': { uses: ['api', 'i18n', 'lib'], packages: [...react, 'lucide-react', 'uplot', 'uplot/dist/uPlot.min.css'], types: shapes },
    // Texts by language.
    'i18n': { uses: ['lib'] },
    // The server: session, requests, live updates.
    'api': { uses: ['lib'], packages: ['@tanstack/react-query'], types: shapes },
    // Tools without a component.
    'lib': { uses: [], packages: react },
    'trusted-types.ts': { uses: [] },
  },
}
