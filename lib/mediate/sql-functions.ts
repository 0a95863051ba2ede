/**
 * Functions of PostgreSQL that only compute: no file, no connection, no sequence, no setting, no sleep. A list of what
 * is allowed, because servers and extensions keep adding what would have to be forbidden.
 */
const pure = new Set(
  `abs age array_agg array_length array_to_string avg bit_length bool_and bool_or btrim cardinality ceil ceiling char_length
  character_length coalesce concat concat_ws corr count cume_dist current_date current_timestamp date date_bin date_part
  date_trunc dense_rank div every exp extract first_value floor format greatest initcap json_agg json_array_length
  json_build_array json_build_object json_extract_path_text json_object_agg jsonb_agg jsonb_array_elements
  jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object jsonb_extract_path_text
  jsonb_object_agg jsonb_object_keys jsonb_typeof lag last_value lead least left length ln localtime localtimestamp log
  lower lpad ltrim make_date make_interval make_timestamp max md5 min mod mode now nth_value ntile nullif octet_length
  overlay percent_rank percentile_cont percentile_disc position power random rank regexp_match regexp_replace
  regr_slope replace reverse right round row_number row_to_json rpad rtrim sign split_part sqrt starts_with
  statement_timestamp stddev stddev_pop stddev_samp string_agg string_to_array strpos substr substring sum timezone
  to_char to_date to_json to_jsonb to_number to_timestamp translate trim trunc unnest upper var_pop var_samp variance
  width_bucket`.split(/\s+/),
);

export const isPureSqlFunction = (name: string): boolean => pure.has(name.toLowerCase());
