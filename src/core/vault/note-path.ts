declare const checked: unique symbol

/** A checked vault-relative path with `/` separators. Only `notePath` and `newNotePath` make one. */
export type NotePath = string & { readonly [checked]: true }
