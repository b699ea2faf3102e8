select n, b + b, b - 1Y, b * b, -b, s + s, s * s, -s, i + i, i - 1, i * i, -i, l + l, l - 1, l * l, -l, f + f, f * f, -f, d + d, d * d, -d from num;
select a.n, c.n, a.b + c.b, a.s * c.s, a.i * c.i, a.l + c.l, a.l - c.l, a.l * c.l, a.f + c.f, a.f * c.f, a.d - c.d, a.d * c.d from num a join num c on a.n * 0 = c.n * 0;
select a.n, c.n, a.i / c.i, a.i % c.i, pmod(a.i, c.i), a.l % c.l, pmod(a.l, c.l), a.l div c.l, a.b % c.b, pmod(a.b, c.b), a.s % c.s, pmod(a.s, c.s), a.i div c.i, a.f % c.f, pmod(a.f, c.f), a.d % c.d, pmod(a.d, c.d), a.d / c.d from num a join num c on a.n * 0 = c.n * 0;
select a.n, c.n, a.d5 + c.d5, a.d5 * c.d5, a.d5 / c.d5, a.d18 + c.d18, a.d18 - c.d18, a.d18 * c.d18, a.d18 / c.d18, a.d38 + c.d38, a.d38 - c.d38, a.d38 * c.d38, a.d38 / c.d38, a.w + c.w, a.w * c.w, a.w / c.w, a.w / c.d5, a.w * c.d18, a.d38 * c.d5 from num a join num c on a.n * 0 = c.n * 0;
select a.n, c.n, a.d18 % c.d18, pmod(a.d5, c.d5), a.d38 div c.d5, a.d5 = c.d18, a.d38 < c.w, a.d5 <=> c.d5, a.i = c.d5, a.l > c.w, a.d = c.d18 from num a join num c on a.n * 0 = c.n * 0;
select a.n, c.n, a.f = c.f, a.f < c.f, a.f <= c.f, a.f > c.f, a.f <=> c.f, a.f <> c.f, a.d = c.d, a.d < c.d, a.d >= c.d, a.d <=> c.d, a.f = c.d, greatest(a.d, c.d), least(a.d, c.d), greatest(a.f, c.f, a.d), nanvl(a.d, c.d), nanvl(a.f, c.f) from num a join num c on a.n * 0 = c.n * 0;
select n, cast(b as string), cast(s as string), cast(i as string), cast(l as string), cast(f as string), cast(d as string), cast(d5 as string), cast(d18 as string), cast(d38 as string), cast(w as string) from num;
select n, cast(f as byte), cast(f as short), cast(f as int), cast(f as bigint), cast(d as byte), cast(d as short), cast(d as int), cast(d as bigint), cast(d as float), cast(f as double), cast(l as float), cast(l as double), cast(l as int), cast(l as short), cast(l as byte), cast(i as byte), cast(d as boolean), cast(f as boolean), cast(l as boolean) from num;
select n, cast(d5 as int), cast(d18 as byte), cast(d18 as bigint), cast(d38 as bigint), cast(d38 as int), cast(w as bigint), cast(d38 as double), cast(d38 as float), cast(w as double), cast(d18 as double), cast(d18 as float), cast(d5 as double), cast(w as boolean), cast(d38 as decimal(20, 0)), cast(w as decimal(30, 1)), cast(w as decimal(38, 20)), cast(d5 as decimal(3, 0)), cast(d18 as decimal(18, 2)), cast(l as decimal(18, 0)), cast(l as decimal(38, 18)), cast(i as decimal(10, 5)), cast(d as decimal(20, 5)), cast(f as decimal(10, 3)) from num;
select n, cast(b as timestamp), cast(i as timestamp), cast(l as timestamp), cast(d as timestamp), cast(cast(i as timestamp) as int) from num where n <> 1 and n <> 2 or l is null;
select n, round(d, 1), round(d, -1), round(f, 1), bround(d, 0), round(i, -1), round(i, -9), round(i, -10), round(l, -1), round(l, -18), bround(l, -2), round(b, -1), round(b, -2), round(b, -3), round(s, -4), round(d5, 1), bround(d5, 1), round(d18, 2), round(d18, -3), round(w, 3), bround(w, 3), ceil(d), floor(d), ceil(w), floor(w), ceil(d5), floor(d18) from num;
select n, round(d38, 0), round(w, 0), floor(w, 2), ceil(d5, 1), floor(d5, -1), ceil(i, -2), floor(l, -3) from num;
select n, abs(b), abs(s), abs(i), abs(l), abs(f), abs(d), abs(d38), abs(w), sign(d), sqrt(d), isnan(f), isnan(d), b & 15Y, b | 1Y, b ^ -1Y, ~b, ~s, ~i, ~l, i & 255, l | 1, shiftleft(i, 33), shiftleft(l, 65), shiftright(i, -1), shiftright(l, 63), shiftrightunsigned(i, 1), shiftrightunsigned(l, 1), shiftleft(i, b) from num;
select n, d in (0.0D, double('NaN')), f in (float('0'), float('NaN')), d in (-0.0D), l in (1, 2, null), not l in (1, 2, null), d38 in (1, 5), b in (1, 300), i in (null), s in (1S) from num;
-- is jvm
select n from num where d in (0.0D, 1D, 2D, 3D, 4D, 5D, 6D, 7D, 8D, 9D, 10D, 11D, double('NaN')) and n > 0;
select n from num where l in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, null, 9223372036854775807) and n > 0;
select n from num where not (l in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 9223372036854775807)) and n > 0;
select n from num where d5 in (0, 0.01, 0.05, 0.15, 0.25, 1, 2, 3, 4, 5, 2.5, -2.5, 999.99) and n > 0;
select n, hash(b, s, i, l, f, d, d5, d18, d38, w), hash(f), hash(d), hash(d38), hash(w), hash(null) from num;
select n, if(d > 0, d5, d18), case when i > 3 then d38 end, case i when 1 then 'one' when null then 'null' else cast(i as string) end, coalesce(b, s, i, l), coalesce(d5, d38), nvl2(l, d, f), nullif(i, 3), case when n > 3 then null else 3 end from num;
select n, i is null or i > 3, i is null and null, not (i > 3), (i > 3) = (l > 3), (i > 3) <=> null, i > 3 or null, i > 3 and null, i <=> null from num;
select n, t, cast(t as byte), cast(t as short), cast(t as int), cast(t as bigint), cast(t as float), cast(t as double), cast(t as boolean), cast(t as decimal(10, 2)), cast(t as decimal(38, 0)), cast(t as decimal(38, 38)), cast(t as date), cast(t as timestamp), cast(t as binary) from txt where n not in (79, 80, 78, 40, 47);
select n, try_cast(t as int), try_cast(t as date), try_cast(t as double), cast(t as timestamp_ntz) from txt where n not in (79, 80, 78, 40, 47);
select n, upper(t), lower(t), initcap(t), length(t), octet_length(t), bit_length(t), reverse(t), trim(t), ltrim(t), rtrim(t), btrim(t, 'aé '), trim(leading '日' from t), trim(trailing 'b😀' from t), trim(both '' from t) from txt;
select n, substring(t, 0), substring(t, 1), substring(t, -1), substring(t, -3, 2), substring(t, 2, -1), substring(t, -100, 99), substring(t, -100, 103), substring(t, 2147483647), substring(t, -2147483648, 2147483647), substring(t, 1, 2147483647), substring(t, 3, 2147483647), substring(t, 0, 1), substring(t, 100), left(t, 2), right(t, 2), left(t, -1), right(t, 0), substring(t, cast(n % 5 as int) - 2, cast(n % 3 as int)) from txt;
select n, t like '%', t like '_', t like '__', t like '%a%', t like 'a_b', t like '\\%', t like '100\\%', t like '\\_x\\_', t like '%日%テ%', t like '', t like '%\\\\%', t like '_%_', t like '%e_', t like '%b', t like 'x_y', t like '%text long%text ', t ilike '%É%' from txt;
select n, t like '1/%%' escape '/', t like '%%' escape '%' from txt where n < 0;
-- is jvm
select n, t like '100/%' escape '/', t like '/_x/_' escape '/', t not like '%a%', t rlike '^a' from txt;
-- is jvm
select n, t like concat('%', cast(n as string), '%') from txt;
select n, startswith(t, ''), endswith(t, ''), contains(t, ''), startswith(t, 'a'), contains(t, '本'), contains(t, cast(unhex('E6') as string)), instr(t, 'a'), instr(t, ''), locate('b', t, 2), locate('', t, 5), locate('a', t, 0), locate('a', t, -1), position('語' in t), locate('😀', t), replace(t, 'a', 'é'), replace(t, '', 'x'), replace(t, 'a'), replace(t, '日本', '') from txt;
select n, concat(t, '-', t), concat(t, null), t || t || t, concat_ws('-', t, null, t), concat_ws('', t), concat_ws(null, t, t), concat_ws(',', null, null), concat(), repeat(t, 2), repeat(t, 0), repeat(t, -1), lpad(t, 5, 'é日'), rpad(t, 5, 'é日'), lpad(t, 3, ''), rpad(t, -1, 'x'), lpad(t, 0, 'x'), lpad(t, 20) from txt where n <> 105;
select n, substring_index(t, ' ', 1), substring_index(t, ' ', -1), substring_index(t, '日', 1), substring_index(t, '', 1), substring_index(t, 'a', 0), substring_index(t, 'aa', -2), substring_index(t, '0', 3), substring_index(t, '0', -3), substring_index(t, '-', 2) from txt;
select a.n, c.n, a.t = c.t, a.t < c.t, a.t <= c.t, a.t <=> c.t, greatest(a.t, c.t), least(a.t, c.t), cast(a.t as binary) < cast(c.t as binary) from txt a join txt c on a.n * 0 = c.n * 0;
select n, t in ('', 'a', 'é', null), t in ('a', 'thirteen byte', '日本語テキスト'), t not in ('a', 'b'), hash(t), hash(cast(t as binary)), t > 'a', coalesce(t, 'none'), if(n > 50, t, null), nullif(t, 'a') from txt;
select n, d, year(d), month(d), day(d), quarter(d), dayofweek(d), weekday(d), dayofyear(d), weekofyear(d), extract(yearofweek from d), last_day(d), trunc(d, 'week'), trunc(d, 'MM'), trunc(d, 'quarter'), trunc(d, 'yyyy'), trunc(d, 'day'), trunc(d, 'nonsense') from dat;
select n, date_add(d, 1), date_add(d, -1000000), datediff(d, date'2000-01-01'), add_months(d, 1), add_months(d, -25), d + interval '1' month, d + interval '-2' year, d + interval '1' day, unix_date(d), date_from_unix_date(cast(n as int)), cast(d as string), cast(d as timestamp), cast(d as timestamp_ntz), d > date'1600-01-01' from dat;
-- is jvm
select n, months_between(d, date'2000-01-31'), next_day(d, 'MO') from dat;
select n, hour(ts), minute(ts), second(ts), cast(ts as date), cast(ts as string), cast(ts as bigint), cast(ts as int), cast(ts as double), cast(ts as boolean), unix_seconds(ts), unix_millis(ts), unix_micros(ts), date_trunc('hour', ts), date_trunc('week', ts), date_trunc('nonsense', ts), date_format(ts, 'yyyy-MM-dd HH:mm:ss.SSSSSS'), ts > timestamp'2000-01-01 00:00:00', to_date(ts), timestamp_micros(n) from dat;
-- is jvm
select n, ts + interval '1' hour from dat;
select n, hour(nt), minute(nt), second(nt), cast(nt as date), cast(nt as string), nt > timestamp_ntz'2000-01-01 00:00:00' from dat;
-- is jvm
select n, cast(nt as timestamp), date_trunc('month', nt), date_format(nt, 'yyyy') from dat;
-- is jvm
-- set spark.sql.session.timeZone=Europe/Berlin
select n, hour(ts), cast(ts as date), cast(d as timestamp), cast(ts as string), date_trunc('day', ts), date_format(ts, 'HH'), cast(nt as timestamp), hour(nt), cast(nt as date) from dat;
-- is jvm
-- set spark.sql.session.timeZone=+05:45
select n, hour(ts), minute(ts), cast(ts as date), cast(d as timestamp), cast(ts as string), date_trunc('day', ts), date_format(ts, 'HH'), cast(nt as timestamp), hour(nt), cast('2020-02-03 10:00' as timestamp) from dat;
-- set spark.sql.session.timeZone=America/New_York
select cast(t as timestamp), cast(t as date), n from txt where n not in (79, 80, 78, 40, 47);
-- set spark.sql.ansi.enabled=true
-- is jvm
select n, b, i + 1L, f + f, d * d, cast(b as int), cast(i as bigint), d38, cast(i as double), cast(f as double), upper(cast(n as string)), coalesce(i, 0), case when n > 3 then 1 end, d > 1 from num;
-- set spark.sql.ansi.enabled=true
-- is fails
select n, i + i from num where n < 3;
-- set spark.sql.ansi.enabled=true
-- is fails
select n, cast(t as int) from txt where n = 3;
-- set spark.sql.ansi.enabled=true
-- is fails
select n, 1 / (n - 3) from num;
-- set spark.sql.ansi.enabled=true
-- is sums
select k, count(*), avg(id), min(dec), max(st), stddev(id), first(k), sum(d) from big group by k;
-- set spark.sql.ansi.enabled=true
-- is jvm
select sum(l) from num;
-- set spark.sql.ansi.enabled=true
-- is jvm
select try_sum(l), try_add(max(l), 1), try_divide(1, 0) from num;
-- set spark.sql.decimalOperations.allowPrecisionLoss=false
select a.n, c.n, a.d5 * c.d5, a.d5 / c.d5, a.d18 * c.d18, a.d18 / c.d18, a.d38 + c.d38, a.d38 * c.d38, a.d38 / c.d38, a.w + c.w, a.w * c.w, a.w / c.w, a.w / c.d5, a.w * c.d18, a.w - c.d18 from num a join num c on a.n * 0 = c.n * 0;
-- set spark.sql.legacy.allowNegativeScaleOfDecimal=true
select x, cast(x as int), cast(x as bigint), cast(x as double), cast(x as string), cast(x as boolean), x + 1, x * x, x / 3, x % 7, round(x, -3), round(x, 1), ceil(x), floor(x), x > 5, -x, abs(x), hash(x), cast(x as decimal(20, 2)) from (select n, i * 1E2BD as x from num) where n > 0;
-- set spark.sql.legacy.allowNegativeScaleOfDecimal=true
-- is jvm
select x, sum(x), avg(x), min(x), count(distinct x) from (select n, i * 1E2BD as x from num) group by x;
-- set spark.sql.caseSensitive=true
select n as X, b as x from num where b is null;
-- set spark.sql.caseSensitive=true
select sum(X), sum(x) from (select n as X, b as x from num);
-- is jvm
select n, cast(array(n)[0] as int), st.a from (select id as n, st from nest) where st.a > 5;
select interval '1' day * n, n + 1 from num where n > 3;
select typeof(n), n, current_date() > d, rand(5) < 2 from (select n, date'2000-01-01' as d from num) where n > 2;
select n, (select max(t) from txt where n < 0), (select count(*) from num c where c.n < a.n) from num a;
select n from num a where d > (select avg(c.d) from num c where c.n = a.n) or n = (select max(n) from num) or l > (select min(l) from nothing cross join num);
