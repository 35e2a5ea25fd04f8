import { longestSearch, type Place } from '@qatra/contract/places/geocode'
import { type KeyboardEvent, useId, useState } from 'react'
import { useLanguage } from '../lib/language/i18n.tsx'
import { classes } from '../ui/class-names.ts'
import { SearchIcon } from '../ui/icons.tsx'
import { useFoundPlaces } from './use-found-places.ts'

/** Combobox over the map with at most five places. */
export function PlaceSearch({ onChoose }: { onChoose(place: Place): void }) {
  const { t } = useLanguage()
  const id = useId()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const { places, state, askNow } = useFoundPlaces(isOpen ? text : '')
  const option = (at: number) => `${id}-${at}`

  function choose(place: Place) {
    setText('')
    setOpen(false)
    setActive(-1)
    onChoose(place)
  }
  function onKey(event: KeyboardEvent) {
    // Ignore the Enter that ends an IME composition.
    if (event.nativeEvent.isComposing) return
    const count = places.length
    if (event.key === 'Escape' && isOpen) setOpen(false)
    else if (event.key === 'ArrowDown' && count) setActive((active + 1) % count)
    else if (event.key === 'ArrowUp' && count) setActive(active <= 0 ? count - 1 : active - 1)
    else if (event.key === 'Enter') {
      const place = places[Math.max(active, 0)]
      if (place) choose(place)
      else askNow()
    } else return
    event.preventDefault()
  }

  return (
    <div
      className="absolute inset-x-2.5 top-2.5 z-2 rounded-m bg-surface shadow-float has-focus-visible:inset-ring-2 has-focus-visible:inset-ring-focus"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false)
      }}
    >
      <div className="flex h-11.5 items-center gap-2 px-3.5 text-ink-3">
        <SearchIcon size={20} aria-hidden="true" />
        <input
          type="search"
          role="combobox"
          dir="auto"
          enterKeyHint="search"
          autoComplete="off"
          maxLength={longestSearch}
          value={text}
          placeholder={t('map.search')}
          aria-label={t('map.search')}
          aria-expanded={isOpen && places.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active >= 0 && active < places.length ? option(active) : undefined}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value)
            setOpen(true)
            setActive(-1)
          }}
          onKeyDown={onKey}
          className="h-full w-full min-w-0 flex-1 bg-transparent text-ink outline-none placeholder:text-ink-3"
        />
      </div>
      <ul
        id={`${id}-list`}
        role="listbox"
        aria-label={t('map.results')}
        className={places.length ? 'p-1 pt-0' : 'hidden'}
      >
        {places.map((place, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's.
          <li
            key={`${place.lat},${place.lng},${place.address}`}
            id={option(at)}
            role="option"
            aria-selected={at === active}
            className={classes(
              'flex h-tap cursor-pointer items-center rounded-s px-3 hover:bg-well',
              at === active && 'bg-well font-strong',
            )}
            // Keep the focus in the field.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(place)}
          >
            <span dir="auto" className="truncate leading-relaxed">
              {place.display_name}
            </span>
          </li>
        ))}
      </ul>
      <p
        role="status"
        className={state === 'none' || state === 'failed' ? 'px-3.5 pb-2.5 text-label text-ink-2' : 'sr-only'}
      >
        {state === 'none' && t('map.noResults')}
        {state === 'failed' && t('map.searchFailed')}
        {state === 'found' && t('map.found', { count: places.length })}
      </p>
    </div>
  )
}
