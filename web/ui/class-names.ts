/** Joins the truthy class names: `classes('a', on && 'b')`. */
export const classes = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(' ')
