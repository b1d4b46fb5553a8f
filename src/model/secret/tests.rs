//! What is masked, and what stays.

use super::{MASK, is_secret_field, without_secrets};

/// Put together, so that nothing that looks for secrets in sources finds one here.
fn joined(parts: &[&str]) -> String {
    parts.concat()
}

#[test]
fn tokens_go_and_hashes_and_names_stay() {
    let key = joined(&["sk-", "ant-api03-0123456789abcdef"]);
    let mixed = "Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZmdoaWprbG1ub3A";
    let text = format!("use {key} or {mixed}, not (ghp_short)");
    assert_eq!(without_secrets(&text), "use ••• or •••, not (ghp_short)");
    let plain = "a86062135927a7c44fccc78fedf0ba10d54c906f4 in a_very_long_name_of_a_test_that_says_what_it_means";
    assert_eq!(without_secrets(plain), plain);
}

/// What a person or a program writes, and which part of it nobody else may read.
fn secrets() -> Vec<(String, String)> {
    let of = |before: &str, secret: &[&str], after: &str| {
        let secret = joined(secret);
        (format!("{before}{secret}{after}"), secret)
    };
    vec![
        of("", &["sk-", "ant-api03-", &"A1b2".repeat(20), "AA"], ""),
        of("", &["ghp_", &"a1B2c3D4e5".repeat(3), "f6G7h8"], ""),
        of("", &["AKIA", "IOSFODNN7EXAMPLE"], ""),
        of(
            "aws_secret_access_key = ",
            &["wJalrXUtnFEMI/K7MDENG/", "bPxRfiCYEXAMPLEKEY"],
            "",
        ),
        of("", &["xoxb-", "123456789012-abcdefghijklmnopqrstuvwx"], ""),
        of("password=", &["hunter2secret"], ""),
        of("PGPASSWORD=", &["letmein99"], " psql"),
        of("https://user:", &["s3cr3tpw"], "@example.com/x"),
        of("Authorization: Bearer ", &["abcdefghijklmnopqrstuvwxyz", "123456"], ""),
        of(
            "-----BEGIN RSA ",
            &["PRIVATE KEY-----\nMIIEowIBAAKCAQEA7\nabcdefg\n-----END RSA PRIVATE"],
            " KEY-----",
        ),
        of(
            "",
            &[
                "eyJhbGciOiJIUzI1NiJ9.",
                "eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9",
            ],
            "",
        ),
        of("", &["sk-", "proj-", &"x9Y8".repeat(12)], ""),
        of("", &["AIza", "SyA1234567890abcdefghijklmnopqrstuv"], ""),
        of("", &["glpat-", "abcdefghij1234567890"], ""),
        of("", &["npm_", "abcdefghijklmnopqrstuvwxyz0123456789"], ""),
        of("", &["hf_", "abcdefghijklmnopqrstuvwxyzABCDEFGH"], ""),
        of("", &["sk_live_", "4eC39HqLyjWDarjtT1zdp7dc"], ""),
        of("\"token\": \"", &["zzTOKENzz1234567"], "\""),
        of("api_key: '", &["kkKEYkk987654321"], "'"),
        of("curl -u admin:", &["adm1npass"], " http://x"),
        of("mysql -p", &["MyS3cretPw"], " db"),
        of("DATABASE_URL=postgres://bob:", &["b0bpass"], "@db/x"),
        of(
            "",
            &[
                "SG.",
                "abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG",
            ],
            "",
        ),
        of(
            "",
            &[
                "github_pat_",
                "11ABCDEFG0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJ",
            ],
            "",
        ),
        of("Cookie: session=", &["abcdef0123456789abcdef"], ""),
        of(
            "AccountKey=",
            &["Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9v=="],
            "",
        ),
        of("client_secret=", &["GOCSPX-", "abcdefghijklmnopqrstuvwx"], ""),
        of("export STRIPE_SECRET=", &["whsec_", "abcdefghijklmnopqrstuvwxyz"], ""),
        of("{\"password\":\"", &["jsonPassw0rd"], "\"}"),
        of("", &["dop_v1_", &"0a1b".repeat(16)], ""),
        of("machine example.com login bob password ", &["netrcPw99"], ""),
        of("X-Api-Key: ", &["1234567890abcdef1234567890abcdef"], ""),
        of("", &["sk-", "ant-dummy-key-0123456789abcdefghij"], ""),
        // Beyond those: other spellings of the same.
        of("{\\\"password\\\":\\\"", &["in JSON in JSON"], "\\\"}"),
        of("**Password:** ", &["swordfish"], "\nnext"),
        of("the secret is: password: `", &["swordfish"], "`"),
        of("ENCRYPTION_KEY=", &["0123456789abcdef"], "\nNEXT=1"),
        of("DB_PASS='", &["correct horse battery"], "'"),
        of("deploy --password ", &["swordfish"], " --force"),
        of("login(password: ", &["swordfish1"], ")"),
        of("redis://:", &["p@ss"], "@cache:6379/0"),
        of("authorization: Basic ", &["dXNlcjpwYXNz"], ""),
        of("https://hooks.slack.com/services/", &["T000/B000/abcdef"], ""),
        of(
            "-----BEGIN ",
            &["PRIVATE KEY-----\nMIIEowIBAAKCAQEA7abcdefgh\nMIIEowIBAAKCAQEA7abcdefgh"],
            "\n…",
        ),
    ]
}

#[test]
fn what_stands_where_secrets_stand_is_left_out() {
    for (text, secret) in secrets() {
        let shown = without_secrets(&text);
        assert!(
            shown.contains(MASK) && !shown.contains(&secret),
            "{text}\nis shown as\n{shown}"
        );
        let within = format!("S1: {text}, and more\nthe next line stays");
        let shown = without_secrets(&within);
        assert!(!shown.contains(&secret), "{within}\nis shown as\n{shown}");
        assert!(shown.ends_with("\nthe next line stays"), "{shown}");
        assert_eq!(without_secrets(&shown), shown, "it is masked already");
    }
}

#[test]
fn the_name_before_a_secret_stays() {
    let shown = [
        ("PGPASSWORD=letmein99 psql", "PGPASSWORD=••• psql"),
        ("https://user:s3cr3tpw@example.com/x", "https://user:•••@example.com/x"),
        ("Authorization: Bearer abc12345, x", "Authorization: Bearer •••, x"),
        ("{\"password\":\"jsonPassw0rd\"}", "{\"password\":\"•••\"}"),
        ("a({api_key: 'kkKEYkk9876'})", "a({api_key: '•••'})"),
        ("open(password=hunter2) or", "open(password=•••) or"),
        ("curl -u admin:adm1npass http://x", "curl -u admin:••• http://x"),
    ];
    for (text, expected) in shown {
        assert_eq!(without_secrets(text), expected);
    }
}

#[test]
fn what_is_no_secret_stays() {
    let plain = [
        "commit a86062135927a7c44fccc78fedf0ba10d54c906f",
        "/home/ada/.parlour/chats/abcdefghij/projects/grove/src/model/secret.rs:12",
        "max_tokens=4096000000, input_tokens: 123456789, token_count: 9000000000",
        "fn sign_in(token: &str, password: String, secret: Option<Vec<u8>>) -> bool",
        "let password = std::env::var(\"PASSWORD\")?;",
        "token = parse_token(line1, line2)",
        "const token = process.env.GITHUB_TOKEN",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "PASSWORD=$PASSWORD TOKEN=\"$(cat token1234)\"",
        "\"password\": null, \"token\": \"<your token 1234>\"",
        "git@github.com:ada/grove.git ssh://git@example.com/grove",
        "http://localhost:8080/@scope/pkg and https://example.com:443/a@b",
        "PWD=/home/ada/work1234 SECRET_FILE=/run/secrets/db1",
        "docker run -u 1000:1000 image",
        "author: ada123456 monkey=banana123456",
        "the session token is stored, authentication: required",
        "Bearer authentication is used",
        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG\n-----END PUBLIC KEY-----",
        "PRIMARY KEY (id), api key: see the docs",
        "mkdir -p src/mysql && git commit -m 'mysql'",
        "password_hash: bcrypt, passwords: 3",
        "passed=12 compass=north1234",
    ];
    for text in plain {
        assert_eq!(without_secrets(text), text);
    }
}

#[test]
fn a_field_is_secret_by_its_name_and_its_value() {
    assert!(is_secret_field("password", "jsonPassw0rd"));
    assert!(is_secret_field("X-Api-Key", "1234567890abcdef"));
    assert!(is_secret_field("Authorization", "Bearer abc"));
    assert!(!is_secret_field("password", "string"));
    assert!(!is_secret_field("token", "the next one"));
    assert!(!is_secret_field("max_tokens", "12345678"));
    assert!(!is_secret_field("path", "/a/b1234567"));
}

/// What makes a search begin again and again: a rule that looks at the rest of the text for each of its beginnings would
/// take minutes.
#[test]
fn a_long_text_takes_no_longer_than_it_is_long() {
    let beginnings = [
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\n",
        "token: ",
        "password:",
        "://a:b",
        "://a:b@",
        "mysql ",
        "machine a ",
        "authorization: bearer ",
        "eyJ",
        "eyJaaaaaaaaaaaaaaaa.",
        "--password ",
        "cookie: a=",
        "-u a:",
    ];
    for beginning in beginnings {
        let text = beginning.repeat((1 << 15) / beginning.len());
        assert!(!without_secrets(&text).is_empty());
    }
}
