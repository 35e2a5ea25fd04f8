import { adminManifest, manifest } from 'virtual:assets'
import type { Lang } from '@qatra/contract/lib/lang'
import type { StaticDataRouteOption } from '@tanstack/react-router'

/** The source and message groups of a page's route. */
export type PageFiles = Pick<StaticDataRouteOption, 'source' | 'messageGroups'>

const builds = {
  shop: { list: manifest, entry: 'app/entry-client.tsx' },
  admin: { list: adminManifest, entry: 'app/entry-admin.tsx' },
} as const
type Build = keyof typeof builds

function chunk(build: Build, source: string) {
  const found = builds[build].list[source]
  if (!found) throw new Error(`The ${build}'s build has no chunk for ${source}`)
  return found
}

/** A chunk and its static imports, itself first. */
function filesOf(build: Build, source: string, found = new Set<string>()): Set<string> {
  const { file, imports } = chunk(build, source)
  if (found.has(file)) return found
  found.add(file)
  for (const needed of imports ?? []) filesOf(build, needed, found)
  return found
}

/** Key of a virtual module in the manifest. */
const messagesSource = (build: Build, group: string, lang: Lang) =>
  Object.keys(builds[build].list).find((name) => name.endsWith(`virtual:messages/${group}.${lang}`)) ?? ''
const fontsOf = (build: Build, lang: Lang) =>
  (lang === 'ar' ? ['arabic-400', 'arabic-600'] : ['latin-400', 'latin-600']).map(
    (name) => `/${chunk(build, `app/fonts/plex-${name}.woff2`).file}`,
  )

function assetsOf(build: Build, lang: Lang, { source, messageGroups = [] }: PageFiles) {
  const { entry } = builds[build]
  const styles = chunk(build, entry).css ?? []
  const modules = filesOf(build, entry)
  for (const group of [build, ...messageGroups]) filesOf(build, messagesSource(build, group, lang), modules)
  if (source) filesOf(build, source, modules)
  return [
    ...styles.map((file) => `<link rel="stylesheet" href="/${file}">`),
    ...fontsOf(build, lang).map(
      (href) => `<link rel="preload" as="font" type="font/woff2" href="${href}" crossorigin>`,
    ),
    // Style sheets and fonts first, because the page is visible before it is interactive.
    ...[...modules].map((file) => `<link rel="modulepreload" fetchpriority="low" href="/${file}">`),
    `<script type="module" fetchpriority="low" src="/${chunk(build, entry).file}"></script>`,
  ].join('')
}

const known = new Map<string, string>()

/** The tags of a page's style sheet, fonts and scripts, by build. */
export function assetTags(build: Build, lang: Lang, files: PageFiles = {}): string {
  const key = `${build} ${lang} ${files.source}`
  const tags = known.get(key) ?? assetsOf(build, lang, files)
  known.set(key, tags)
  return tags
}
