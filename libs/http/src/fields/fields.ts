import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import {
  digits,
  fault,
  flag,
  id,
  isObject,
  jsonObject,
  listFaults,
  listOf,
  oneOf,
  sha256Hex,
  text,
  time,
  whole,
  type ListLimits,
  type Rule,
  type TextOptions,
} from './rules.js';

/** `optional`: may be missing (null is no way to leave out a field). `nullable`: may be null. */
export type FieldOptions = Readonly<{ optional?: boolean; nullable?: boolean; description?: string; example?: unknown; default?: unknown }>;

/** A field by its rule, and, where its value (or each item) is an object of its own, by the class of that. */
export type Field = Readonly<{ rule: Rule; nested?: () => Type }>;

/** One decorator a field: it validates and it documents. */
export const Text = ({ min, max, pattern, ...options }: TextOptions & FieldOptions) =>
  field({ rule: text({ max, ...(min !== undefined && { min }), ...(pattern && { pattern }) }) }, options);
export const Id = (options: FieldOptions = {}) => field({ rule: id() }, options);
export const Digits = (options: FieldOptions = {}) => field({ rule: digits() }, options);
export const Sha256 = (options: FieldOptions = {}) => field({ rule: sha256Hex() }, options);
export const Time = (options: FieldOptions = {}) => field({ rule: time() }, options);
export const OneOf = (values: readonly string[], options: FieldOptions = {}) => field({ rule: oneOf(values) }, options);
export const Whole = ({ min, max, ...options }: Readonly<{ min: number; max: number }> & FieldOptions) =>
  field({ rule: whole({ min, max }) }, options);
export const Flag = (options: FieldOptions = {}) => field({ rule: flag() }, options);
export const JsonObject = ({ maxBytes, ...options }: Readonly<{ maxBytes?: number }> & FieldOptions = {}) =>
  field({ rule: jsonObject(maxBytes === undefined ? {} : { maxBytes }) }, options);

/** Anything that a Rule can say. */
export const Ruled = (rule: Rule, options: FieldOptions = {}) => field({ rule }, options);

/** An object of another class of fields: `@Nested(() => WorkDto)`. */
export const Nested = (type: () => Type, options: FieldOptions = {}) =>
  field(
    { rule: { schema: {}, faults: (value, at) => (isObject(value) ? [] : fault(at, 'Must be a JSON object.')) }, nested: type },
    options,
    documentedAs(type),
  );

type Item = 'text' | 'argv' | 'id' | 'digits' | 'sha256' | Rule | (() => Type);

/**
 * A list: of a named kind (`item` bounds its texts; `argv` is a list of at most 100 texts), of a Rule, or of objects of a
 * class: `@ListOf(() => AtomDto, {max: 50})`.
 */
export const ListOf = (
  of: Item,
  { min = 0, max, unique = false, item, ...options }: ListLimits & Readonly<{ item?: TextOptions }> & FieldOptions,
) => {
  const limits = { min, max, unique };
  if (typeof of !== 'function') return field({ rule: listOf(typeof of === 'string' ? named(of, item) : of, limits) }, options);
  const rule: Rule = { schema: { minItems: min, maxItems: max }, faults: (value, at) => listFaults(value, limits, at) };
  return field({ rule, nested: of }, options, { ...documentedAs(of), isArray: true });
};

const named = (name: Exclude<Item, Rule | (() => Type)>, item: TextOptions = { max: 1_000 }): Rule => {
  switch (name) {
    case 'text':
      return text(item);
    case 'argv':
      return listOf(text(item), { min: 1, max: 100 });
    case 'id':
      return id();
    case 'digits':
      return digits();
    case 'sha256':
      return sha256Hex();
    default:
      return name satisfies never;
  }
};

// The documentation tells a class from a function that gives one by the function's name, which must be "type".
const documentedAs = (nested: () => Type) => ({ type: () => nested() });

const field = (
  definition: Field,
  { optional = false, nullable = false, ...documented }: FieldOptions,
  type: object = {},
): PropertyDecorator =>
  applyDecorators(
    (target: object, name: string | symbol) => {
      const fields = new Map(fieldsOf(target.constructor));
      fields.set(name as string, definition);
      definitions.set(target.constructor, fields);
    },
    ValidateIf((_, value) => !(optional && value === undefined) && !(nullable && value === null)),
    ValidateBy({
      name: RULE,
      validator: {
        validate: (value) => definition.rule.faults(value, '').length === 0,
        defaultMessage: (args) => definition.rule.faults(args?.value, '')[0]?.detail ?? '',
      },
    }),
    ...(definition.nested ? [ValidateNested()] : []),
    ApiProperty({
      ...definition.rule.schema,
      ...type,
      ...documented,
      required: !optional,
      ...(nullable && { nullable }),
    }),
  );

/** Under this name class-validator keeps that a field broke its Rule. */
export const RULE = 'rule';

/** The fields that a class declares and inherits. */
export const fieldsOf = (type: object): ReadonlyMap<string, Field> => {
  const own = definitions.get(type);
  if (own) return own;
  const parent = Object.getPrototypeOf(type) as object | null;
  return parent && parent !== Function.prototype ? fieldsOf(parent) : NONE;
};

const definitions = new WeakMap<object, ReadonlyMap<string, Field>>();
const NONE: ReadonlyMap<string, Field> = new Map();
