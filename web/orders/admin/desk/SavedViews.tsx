import { VIEW_NAME_LENGTH } from '@qatra/contract/orders/views'
import { type FormEvent, useState } from 'react'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { writeSearch } from '../../../lib/search-state.ts'
import { wordsOfRange } from '../../../ui/admin/list/DateFilter.tsx'
import { Popover } from '../../../ui/admin/Popover.tsx'
import { ToolbarButton, toolbarButtonClass } from '../../../ui/admin/ToolbarButton.tsx'
import { classes } from '../../../ui/class-names.ts'
import { TextField } from '../../../ui/Field.tsx'
import { BinIcon, DownIcon } from '../../../ui/icons.tsx'
import { toast } from '../../../ui/Toast.tsx'
import type { DeskPart } from './DeskFilters.tsx'
import { type DeskState, deskShape, isFiltered, noFilters } from './desk-search.ts'
import { useSavedViews, viewFiltersOf } from './saved-views.ts'

type ReadyKey = 'onTheWay' | 'unpaid'
type Filters = Partial<DeskState>

/** Built-in views. */
const readyViews: readonly { key: ReadyKey; filters: Filters }[] = [
  { key: 'onTheWay', filters: { status: ['shipped'] } },
  { key: 'unpaid', filters: { status: ['delivered'], payment: ['pending', 'unpaid', 'failed'] } },
]

const hasDays = ({ day, from, to }: Filters) => [day, from, to].some((one) => one !== undefined)

/** Changes when a view is chosen: the day filter stays unless the view has its own. */
function viewOn(state: DeskState, filters: Filters): Filters {
  const { day, from, to, by } = state
  return { ...noFilters, ...filters, ...(hasDays(filters) ? {} : { day, from, to, by }) }
}

const filterKeys = Object.keys(noFilters) as (keyof DeskState)[] // those that it is written with
const written = (state: Filters) =>
  JSON.stringify(writeSearch(deskShape, Object.fromEntries(filterKeys.map((key) => [key, state[key]]))))

const isViewOn = (state: DeskState, filters: Filters) =>
  written(state) === written({ ...state, ...viewOn(state, filters) })

const line =
  'flex min-h-9 w-full items-center rounded-s px-2.5 text-start hover:bg-well focus-visible:bg-well max-md:min-h-tap'

/** Built-in filter sets and those that the vendor's staff have saved. */
export function SavedViews({ state, setState }: DeskPart) {
  const { t, lang } = useLanguage()
  const saved = useSavedViews()
  const { views } = saved
  const isSavable = saved.mayChange && isFiltered({ ...state, day: undefined, q: '' })
  // Relative days are computed at render time: a list open past midnight needs a reload.
  const [now] = useState(() => new Date())
  const days = wordsOfRange(state, { t, lang, presets: ['today', 'tomorrow', 'yesterday', 'week'], now })
  /** Applies a view by name and keeps the day filter. */
  const named = (name: string, { filters }: { filters: Partial<DeskState> }) =>
    days === null || hasDays(filters) ? name : t('desk.view.onDays', { view: name, days })
  const all = [
    ...readyViews.map((view) => ({ ...view, name: t(`desk.view.${view.key}`) })),
    ...views.map((view) => ({ ...view, key: null })),
  ]
  const shown = isFiltered(state) ? all.find(({ filters }) => isViewOn(state, filters)) : undefined
  return (
    <Popover
      label={t('desk.views')}
      className="w-64 p-2"
      trigger={
        <button type="button" className={toolbarButtonClass(shown !== undefined, 'max-w-72')}>
          <span className="truncate leading-relaxed">
            {t('desk.views')}
            {shown && (
              <>
                : <bdi>{named(shown.name, shown)}</bdi>
              </>
            )}
          </span>
          <DownIcon size={16} aria-hidden="true" className="text-ink-3" />
        </button>
      }
    >
      {(close) => {
        const choose = (filters: Partial<DeskState>) => {
          setState(viewOn(state, filters))
          close()
        }
        return (
          <div className="grid gap-1">
            {all.map(
              (view) =>
                view.key !== null && (
                  <button
                    key={view.key}
                    type="button"
                    aria-pressed={view === shown}
                    className={classes(line, view === shown && 'bg-gulf-soft font-strong text-gulf')}
                    onClick={() => choose(view.filters)}
                  >
                    {named(view.name, view)}
                  </button>
                ),
            )}
            {views.length > 0 && <h3 className="px-2.5 pt-2 text-caption text-ink-3">{t('desk.view.own')}</h3>}
            {saved.isMissing && (
              <p role="alert" className="px-2.5 py-1 text-clay">
                {t('desk.view.missing')}
              </p>
            )}
            {views.map((view) => (
              <div key={view.id} className="flex items-center">
                <button type="button" className={line} onClick={() => choose(view.filters)}>
                  <bdi className="min-w-0 truncate leading-relaxed">{named(view.name, view)}</bdi>
                </button>
                {saved.mayChange && (
                  <button
                    type="button"
                    aria-label={t('desk.view.remove', { name: view.name })}
                    className="grid size-8.5 flex-none place-items-center rounded-s text-ink-3 hover:bg-well hover:text-clay max-md:size-tap"
                    onClick={() =>
                      void saved.remove(view.id, () => toast({ title: t('desk.view.removed', { name: view.name }) }))
                    }
                  >
                    <BinIcon size={16} aria-hidden="true" />
                  </button>
                )}
              </div>
            ))}
            {saved.problem && !isSavable && (
              <p role="alert" className="px-2.5 py-1 text-clay">
                {saved.problem}
              </p>
            )}
            {isSavable && (
              <SaveView
                saved={saved}
                onSave={(name) =>
                  saved.save(name, viewFiltersOf(state), () => {
                    toast({ title: t('desk.view.saved') })
                    close()
                  })
                }
              />
            )}
          </div>
        )
      }}
    </Popover>
  )
}

interface SaveViewProps {
  saved: ReturnType<typeof useSavedViews>
  onSave(name: string): Promise<void>
}

/** A view has no day of its own: it shows the orders of the day on which it is opened. */
function SaveView({ saved, onSave }: SaveViewProps) {
  const t = useT()
  const [name, setName] = useState('')
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '' && !saved.busy) void onSave(name.trim())
  }
  return (
    <form className="mt-1 grid gap-2 border-t border-line px-1 pt-3 pb-1" onSubmit={save}>
      <TextField
        label={t('desk.view.name')}
        hint={t('desk.view.forAll')}
        maxLength={VIEW_NAME_LENGTH}
        value={name}
        error={saved.problem}
        onChange={(event) => {
          setName(event.target.value)
          saved.setProblem(null)
        }}
      />
      <ToolbarButton type="submit">{t('desk.view.save')}</ToolbarButton>
    </form>
  )
}
