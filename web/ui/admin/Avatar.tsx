import { withoutArticle } from '@qatra/contract/lib/text'
import { classes } from '../class-names.ts'
import { UserIcon } from '../icons.tsx'

/** First letter of an Arabic name, since Arabic has no initials; two initials of a Latin name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = words.map((word) => [...word].find((letter) => /[\p{L}\p{N}]/u.test(letter)) ?? '').filter(Boolean)
  const [first = '', second = ''] = letters
  return (/\p{Script=Latin}/u.test(first) ? first + second : first).toUpperCase()
}

const firstLetters = (word: string | undefined, count: number) =>
  [...(word ?? '')].filter((letter) => /[\p{L}\p{N}]/u.test(letter)).slice(0, count)

/** Keeps Arabic letters from joining to a word. */
const apart = (letters: readonly string[]) => letters.join('\u200c').toUpperCase()

/** From the shortest to the longest: `ب`, then `ب ح` (without the article), then the first two and three letters. */
function choicesOf(name: string): string[] {
  const words = name.trim().split(/\s+/)
  const [first, ...others] = words.map(withoutArticle)
  const second = others.at(-1)
  return [
    initialsOf([first, ...others].join(' ')),
    apart([...firstLetters(first, 1), ...firstLetters(second, 1)]),
    apart(firstLetters(first, 2)),
    apart([...firstLetters(first, 2), ...firstLetters(second, 1)]),
    apart(firstLetters(first, 3)),
  ]
}

interface Person {
  id: number
  name: string | null
  phone?: string
}

/** Initials by id, no two alike: people whose initials are the same get longer ones, at last a number. */
export function distinctInitials(people: readonly Person[]): ReadonlyMap<number, string> {
  const chosen = new Map<number, string>()
  let left = people
    .map(({ id, name, phone = '' }) => ({ id, choices: choicesOf(name ?? phone) }))
    .sort((a, b) => a.id - b.id)
  for (let at = 0; at < 5; at += 1) {
    const times = new Map<string, number>()
    for (const { choices } of left) times.set(choices[at] ?? '', (times.get(choices[at] ?? '') ?? 0) + 1)
    const used = new Set(chosen.values())
    for (const { id, choices } of left) {
      const choice = choices[at] ?? ''
      if (choice !== '' && times.get(choice) === 1 && !used.has(choice)) chosen.set(id, choice)
    }
    left = left.filter(({ id }) => !chosen.has(id))
  }
  left.forEach(({ id, choices }, at) => chosen.set(id, `${choices[0] ?? ''}${at + 1}`))
  return chosen
}

const sizes = { normal: 'size-8.5 text-label', small: 'size-6.5 text-caption', large: 'size-10 text-label' }

interface AvatarProps {
  name: string
  size?: keyof typeof sizes
  title?: string
  /** From `distinctInitials`. */
  initials?: string | undefined
}

/**
 * A person as a disc with initials, or with an icon if `name` is a phone number. `title` is required unless the name is
 * shown beside it; `initials` where several people stand below each other.
 */
export function Avatar({ name, size = 'normal', title, initials }: AvatarProps) {
  return (
    <span
      title={title}
      className={classes(
        'grid flex-none place-items-center rounded-full bg-gulf-soft font-strong text-gulf',
        sizes[size],
      )}
    >
      <span aria-hidden="true">{/\p{L}/u.test(name) ? (initials ?? initialsOf(name)) : <UserIcon size={16} />}</span>
      {title && <span className="sr-only">{title}</span>}
    </span>
  )
}
