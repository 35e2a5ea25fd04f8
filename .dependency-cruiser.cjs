/** Who may import whom: the eleven rules of docs/architecture.md (rule 7's writes are read by scripts/code-checks.mjs). */
const swc = require('@swc/core')
const { server: layers, web: webLayers } = require('./scripts/layers.cjs')

// The tool asks swc for TypeScript without JSX and then stops at the first tag.
const parse = swc.parseFileSync
swc.parseFileSync = (file, options) => parse(file, { ...options, tsx: file.endsWith('x') })

const test = '(\\.test\\.tsx?$|^server/test/|^web/test/)'
const foundation = layers.slice(0, layers.indexOf('http') + 1)
/** Folders that are no features. */
const unlayered = ['test', 'migrations']
const webUnlayered = ['test', 'vite', 'public']
const webTest = `${test}|/test-[\\w-]+\\.tsx?$`
/** A dynamic import each, on the server and in the browser. */
const demoLoaders = '^server/demo\\.ts$|^web/app/routes/routes\\.storefront\\.tsx$'
const kind = (...names) => `^server/.*[/.](${names.join('|')})\\.ts$`

module.exports = {
  forbidden: [
    {
      name: '1-no-cycles',
      comment: 'A circle of imports has no beginning: nothing in it can be read, tested or loaded alone.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: '2-contract-imports-itself-and-zod',
      comment: 'The contract runs on both sides, so it brings nothing but zod along.',
      severity: 'error',
      from: { path: '^contract/', pathNot: test },
      to: { pathNot: '^contract/|^node_modules/zod/' },
    },
    {
      name: '2-contract-lib-imports-no-feature',
      comment: 'What has no feature is the base of all.',
      severity: 'error',
      from: { path: '^contract/lib/', pathNot: test },
      to: { path: '^contract/', pathNot: '^contract/(lib|messages)/' },
    },
    {
      name: '3-web-and-server-do-not-import-each-other',
      comment: 'They meet in the contract alone.',
      severity: 'error',
      from: { path: '^(web|server)/' },
      to: { path: '^(web|server)/', pathNot: '^$1/' },
    },
    ...layers.map((folder, index) => ({
      name: 'layers-import-downwards',
      comment: 'Upwards goes an event, or a function that app.ts registers.',
      severity: 'error',
      from: { path: `^server/${folder}/`, pathNot: test },
      to: {
        path: '^server/',
        pathNot: `^server/(package\\.json$|(node_modules|${layers.slice(0, index + 1).join('|')})/)`,
      },
    })),
    {
      name: 'layers-list-every-folder',
      comment: 'A folder outside the list would escape the rule above.',
      severity: 'error',
      from: { path: '^server/[^/]+/', pathNot: `^server/(${[...layers, ...unlayered].join('|')})/|${test}` },
      to: {},
    },
    ...webLayers.map((folder, index) => ({
      name: 'web-layers-import-downwards',
      comment:
        'Of two features at most one imports the other; what both need is in a lower one. Only the route tables name pages.',
      severity: 'error',
      from: { path: `^web/${folder}/`, pathNot: `^web/app/routes/|${webTest}` },
      to: { path: '^web/', pathNot: `^web/(${webLayers.slice(0, index + 1).join('|')})/` },
    })),
    {
      name: 'layers-list-every-folder',
      comment: 'A folder outside the list would escape the rule above.',
      severity: 'error',
      from: { path: '^web/[^/]+/', pathNot: `^web/(${[...webLayers, ...webUnlayered].join('|')})/|${webTest}` },
      to: {},
    },
    {
      name: '6-tables-are-read-by-queries-and-commands',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: `${kind('tables', 'policy', 'queries', 'commands')}|^server/(seed|${foundation.join('|')})/|^server/schema\\.ts$|${test}`,
      },
      to: { path: kind('tables') },
    },
    {
      name: '8-queries-do-not-import-commands',
      severity: 'error',
      from: { path: kind('queries', 'policy', 'tables') },
      to: { path: kind('commands', 'jobs', 'routes') },
    },
    {
      name: '9-gateways-are-not-called-in-a-transaction',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: `${kind('jobs', 'queries', 'gateway')}|^server/app\\.ts$|^server/providers/|${test}`,
      },
      to: { path: kind('gateway') },
    },
    {
      name: 'demo-is-loaded-in-two-places',
      comment: 'Simulators and demo data are no part of the product: it loads them where they run, and only there.',
      severity: 'error',
      from: { path: '^(contract|server|web)/', pathNot: `${demoLoaders}|${webTest}` },
      to: { path: '^demo/' },
    },
    {
      name: 'demo-is-loaded-at-run-time',
      severity: 'error',
      from: { path: demoLoaders },
      to: { path: '^demo/', dynamic: false },
    },
    {
      name: 'demo-has-two-sides',
      comment: 'The pages of the simulated phones run in the browser, all else of demo/ on the server.',
      severity: 'error',
      from: { path: '^demo/phones/', pathNot: test },
      to: { path: '^(server/|demo/(?!phones/|contract/))' },
    },
    {
      name: 'demo-has-two-sides',
      severity: 'error',
      from: { path: '^demo/(?!phones/)', pathNot: test },
      to: { path: '^(web|demo/phones)/' },
    },
    {
      name: '10-admin-pages-load-lazily',
      comment:
        'A customer never downloads the admin area. (router.ts takes the types of its links from there; the build checks.)',
      severity: 'error',
      from: {
        path: '^web/',
        pathNot:
          '/admin/|^web/app/(entry-admin\\.tsx|routes/(router|routes)\\.admin(-root)?\\.tsx?|routes/router\\.ts)$',
      },
      to: {
        path: '^web/admin/|^web/[^/]+/admin/|^web/app/(entry-admin\\.tsx|routes/(router|routes)\\.admin(-root)?\\.tsx?)$',
        dynamic: false,
      },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      from: { pathNot: `${webTest}|^e2e/` },
      to: { path: webTest },
    },
    {
      name: 'unresolvable',
      comment: 'An import that resolves to nothing would slip through every rule above.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
  ],
  options: {
    // TypeScript 7 has no parser for this tool: without swc it sees no modules and finds nothing wrong.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^build/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
}
