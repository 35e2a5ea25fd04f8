import { listManagedAreas } from '@qatra/contract/places/areas-admin'
import { getSettings } from '@qatra/contract/settings/settings'
import { getSetup, getShippedAreas, type SetupItem, type SetupKey, setupKeys } from '@qatra/contract/settings/setup'
import { listManagedVendors } from '@qatra/contract/vendors/admin'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Page } from '../../app/page.ts'
import { read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { oneOf, useSearchState } from '../../lib/search-state.ts'
import { AdminPageLayout } from '../../ui/admin/AdminPageLayout.tsx'
import { setNavCount } from '../../ui/admin/nav-counts.ts'
import { classes } from '../../ui/class-names.ts'
import { CheckIcon } from '../../ui/icons.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { StepPane } from './StepPane.tsx'

const shape = { step: oneOf(setupKeys) }
/** Usual minutes of each step. */
const minutes: Readonly<Record<SetupKey, number>> = {
  account: 0,
  areas: 1,
  company: 3,
  vendor: 4,
  days: 1,
  people: 1,
  customers: 0,
  whatsapp: 3,
  telegram: 0,
  testOrder: 2,
}

/** Steps whose button has a word of its own. */
const begin = { people: true, whatsapp: true, telegram: true, customers: true } as const

function Component() {
  const t = useT()
  // Steps are done on other pages too.
  const { data: items } = useQuery({ ...read(getSetup), refetchOnMount: 'always', refetchOnWindowFocus: 'always' })
  const [{ step }] = useSearchState(shape)
  const counted = items?.filter(({ optional }) => !optional) ?? []
  const open = counted.filter(({ done }) => !done)
  useEffect(() => {
    if (items) setNavCount('/admin/setup', open.length)
  }, [items, open.length])
  if (!items) return <AdminPageLayout title={t('setup.title')}>{null}</AdminPageLayout>
  const chosen = items.find(({ key }) => key === step) ?? open[0] ?? items[0]
  const left = open.reduce((sum, { key }) => sum + minutes[key], 0)
  return (
    <AdminPageLayout
      title={t('setup.title')}
      actions={
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 md:w-82">
          <b className="font-strong">
            {t('setup.progress', { done: counted.length - open.length, total: counted.length })}
          </b>
          <Progress
            className="w-24 flex-1"
            label={t('setup.progress.label')}
            value={(counted.length - open.length) / counted.length}
          />
          <span className="text-caption text-ink-3">
            {open.length === 0 ? t('setup.complete') : t('setup.minutesLeft', { minutes: left })}
          </span>
        </div>
      }
    >
      <div className="grid flex-1 content-start border-t border-line md:grid-cols-[minmax(260px,400px)_minmax(0,1fr)] md:content-stretch">
        <nav aria-label={t('setup.steps')} className="border-line py-2.5 max-md:border-t md:border-e">
          <ol>
            {items.map((item, index) => (
              <Step key={item.key} item={item} number={index + 1} isCurrent={item.key === chosen?.key} />
            ))}
          </ol>
        </nav>
        {chosen && <StepPane key={chosen.key} item={chosen} items={items} />}
      </div>
    </AdminPageLayout>
  )
}

/** Number, name and state of a step; the current one has the blue row. */
function Step({ item, number, isCurrent }: { item: SetupItem; number: number; isCurrent: boolean }) {
  const t = useT()
  const { key, done, optional, count } = item
  return (
    <li>
      <Link
        to="/admin/setup"
        search={{ step: key }}
        replace
        aria-current={isCurrent ? 'step' : undefined}
        className={classes(
          'grid min-h-tap grid-cols-[30px_minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-2.5 md:px-6',
          isCurrent
            ? 'bg-gulf-soft shadow-[inset_3px_0_0_var(--gulf)] rtl:shadow-[inset_-3px_0_0_var(--gulf)]'
            : 'hover:bg-well',
        )}
      >
        <span
          className={classes(
            'grid size-7.5 place-items-center rounded-full text-caption font-strong',
            done
              ? 'bg-gulf text-on-gulf'
              : isCurrent
                ? 'bg-aqua text-on-aqua'
                : 'text-ink-3 inset-ring inset-ring-line-strong',
          )}
        >
          {done ? <CheckIcon size={16} aria-hidden="true" /> : number}
        </span>
        <span className="min-w-0">
          <span className={classes('block', done ? 'text-ink-2' : optional ? 'text-ink-3' : 'font-strong')}>
            {t(`setup.${key}`)}
            <span className="sr-only"> · {t(done ? 'setup.done' : 'setup.notDone')}</span>
          </span>
          <span className="block text-caption text-ink-3">
            {optional && `${t('setup.optional')} · `}
            {key === 'areas' ? t('setup.areas.hint', { count: count ?? 0 }) : t(`setup.${key}.hint`)}
          </span>
        </span>
        {!done && !isCurrent && (
          <span aria-hidden="true" className="rounded-s bg-well px-3 py-1 text-label font-strong text-ink">
            {t(key in begin ? `setup.begin.${key as keyof typeof begin}` : 'setup.begin')}
          </span>
        )}
      </Link>
    </li>
  )
}

export const page: Page = {
  Component,
  load: ({ queries }) =>
    Promise.all([
      queries.ensureQueryData(read(getSetup)),
      queries.ensureQueryData(read(getSettings)),
      queries.ensureQueryData(read(getShippedAreas)),
      queries.ensureQueryData(read(listManagedVendors, { query: { limit: 100 } })),
      queries.ensureQueryData(read(listManagedAreas)),
      queries.ensureQueryData(read(listVendors)),
    ]),
  head: ({ t }) => ({ title: t('setup.title'), hidden: true }),
}
