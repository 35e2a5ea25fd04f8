import { Autocomplete } from '@base-ui/react/autocomplete'
import { dirOf } from '@qatra/contract/lib/lang'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { useLanguage } from '../lib/language/i18n.tsx'
import { SearchIcon } from '../ui/icons.tsx'
import { useModal } from '../ui/use-modal.ts'
import { type Group, type Result, remember, useResults } from './palette-results.ts'

const line = 'px-2.5 py-2 text-ink-2'

/** Finds orders, people, products, areas and pages; shows what was opened lately until one types. */
export function Palette({ onClose }: { onClose(): void }) {
  const { t, lang } = useLanguage()
  const router = useRouter()
  const id = useId()
  const modal = useModal(onClose, { focused: ['input'] })
  const [text, setText] = useState('')
  const { groups, isSearching, isFailed, retry } = useResults(text)
  function go(result: Result) {
    remember(result)
    onClose()
    void router.navigate({ to: result.to as '/admin', search: result.search as never }) // a path of `adminPages`
  }
  const onKeyDownCapture = (event: KeyboardEvent) => {
    const isAgain = event.code === 'KeyK' && event.ctrlKey !== event.metaKey
    // The list below would take the first Escape.
    if (event.key !== 'Escape' && !isAgain) return
    event.preventDefault()
    event.stopPropagation()
    onClose()
  }
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)
  return (
    <dialog
      {...modal}
      dir={dirOf(lang)}
      aria-label={t('admin.find.open')}
      className="admin rise mx-auto mt-[10dvh] mb-auto w-[calc(100%-32px)] max-w-140 rounded-l bg-surface p-0 text-ink shadow-float backdrop:bg-scrim"
      onKeyDownCapture={onKeyDownCapture}
    >
      <Autocomplete.Root
        inline
        open
        items={groups}
        mode="none"
        value={text}
        onValueChange={(next, { reason }) => reason === 'input-change' && setText(next)}
        autoHighlight="always"
        keepHighlight
      >
        <div className="flex h-14 items-center gap-3 border-b border-line px-4">
          <SearchIcon size={18} aria-hidden="true" className="flex-none text-ink-3" />
          <Autocomplete.Input
            dir="auto"
            aria-label={t('admin.find.open')}
            aria-describedby={`${id}-hint`}
            placeholder={t('admin.find.hint')}
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
            className="h-full min-w-0 flex-1 bg-transparent text-as-page outline-none placeholder:text-ink-3"
          />
          <button type="button" className="rounded-s px-1.5 text-caption text-ink-3 hover:bg-well" onClick={onClose}>
            {t('admin.close')}
          </button>
        </div>
        <div aria-busy={isSearching} className="max-h-[60dvh] min-h-24 overflow-y-auto overscroll-contain p-2">
          <p id={`${id}-hint`} className={text.trim() === '' && count === 0 ? line : 'sr-only'}>
            {t('admin.find.start')}
          </p>
          <Autocomplete.Status className={count === 0 ? line : 'sr-only'}>
            {text.trim() !== '' &&
              !isSearching &&
              !(isFailed && count === 0) &&
              (count === 0 ? t('admin.nothingFound') : t('admin.combobox.results', { count }))}
          </Autocomplete.Status>
          <Autocomplete.List aria-label={t('admin.find.open')} className="outline-none">
            {(group: Group) => (
              <Autocomplete.Group key={group.kind} items={group.items}>
                <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 text-caption text-ink-3">
                  {t(`admin.find.${group.kind}`)}
                </Autocomplete.GroupLabel>
                <Autocomplete.Collection>
                  {(result: Result) => (
                    <Autocomplete.Item
                      key={result.key}
                      value={result}
                      className="flex min-h-9 cursor-pointer items-center gap-3 rounded-s px-2.5 outline-none data-highlighted:bg-gulf-soft data-highlighted:text-gulf max-md:min-h-tap"
                      onClick={() => go(result)}
                    >
                      <bdi className="min-w-0 flex-1 truncate leading-relaxed">{result.title}</bdi>
                      <bdi className="flex-none text-caption text-ink-3">{result.hint}</bdi>
                    </Autocomplete.Item>
                  )}
                </Autocomplete.Collection>
              </Autocomplete.Group>
            )}
          </Autocomplete.List>
          {isFailed && (
            <p role="alert" className="flex flex-wrap items-center gap-2 px-2.5 py-2 text-clay">
              {t('admin.find.failed')}
              <button type="button" className="rounded-s px-1.5 font-strong underline hover:bg-well" onClick={retry}>
                {t('admin.retry')}
              </button>
            </p>
          )}
        </div>
      </Autocomplete.Root>
    </dialog>
  )
}
